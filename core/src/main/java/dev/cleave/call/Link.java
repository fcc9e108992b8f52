package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.serial.SerialException;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Peer;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks: both sides say hello, then calls go both ways.
 *
 * <p>Frames that are {@linkplain #defer deferred} go at the next {@link #flush}, or when {@value #MAX_DEFERRED} frames or
 * {@value #MAX_DEFERRED_BYTES} bytes are waiting, or after {@value #FLUSH_MICROS} microseconds.
 */
public final class Link implements FrameHandler {

    static final int MAX_DEFERRED = 64;
    static final int MAX_DEFERRED_BYTES = 64 << 10;
    static final int FLUSH_MICROS = 200;

    private static final System.Logger LOG = System.getLogger(Link.class.getName());

    private final LinkContext context;
    private final LinkOwner owner;
    private final Connection connection;
    private final Peer peer;
    private final CallTable calls = new CallTable();
    private final Map<Integer, PeerTables> tables = new ConcurrentHashMap<>();
    private final PeerTables direct;
    private final AwaitedCalls awaited = new AwaitedCalls();
    private final AtomicInteger deferred = new AtomicInteger();
    private final AtomicInteger deferredBytes = new AtomicInteger();
    private final AtomicBoolean flushScheduled = new AtomicBoolean();
    private volatile @Nullable String goneBecause;

    private Link(Connection connection, Peer peer, LinkContext context, LinkOwner owner) {
        this.connection = requireNonNull(connection, "connection");
        this.peer = requireNonNull(peer, "peer");
        this.context = requireNonNull(context, "context");
        this.owner = requireNonNull(owner, "owner");
        direct = new PeerTables(this, 0);
        tables.put(0, direct);
    }

    /**
     * Connects and greets; blocks until the peer has answered.
     *
     * @throws TransportException if the peer cannot be reached, or does not speak as we do
     */
    public static Link dial(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        AtomicReference<Link> made = new AtomicReference<>();
        try {
            context.handshake().connect(transport, endpoint, (connection, peer) -> {
                Link link = new Link(connection, peer, context, owner);
                made.set(link);
                return link;
            });
            return requireNonNull(made.get());
        } catch (HandshakeException e) {
            throw new TransportException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Accepts peers at an endpoint. */
    public static Listener listen(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        return context.handshake()
                .listen(transport, endpoint, (connection, peer) -> new Link(connection, peer, context, owner));
    }

    /** What it has in common with the other links of the node. */
    public LinkContext context() {
        return context;
    }

    /** The connection below. */
    public Connection connection() {
        return connection;
    }

    /** Who is at the other end. */
    public Peer peer() {
        return peer;
    }

    /** The numbers between this node and a peer; 0 is the direct one. */
    public PeerTables tables(int peer) {
        return peer == 0 ? direct : tables.computeIfAbsent(peer, p -> new PeerTables(this, p));
    }

    /** How many calls wait for their outcome. */
    public int pendingCalls() {
        return calls.size();
    }

    /** Says whether the connection is gone. */
    public boolean isClosed() {
        return connection.isClosed();
    }

    /** Enters a call and returns its number, or -1 if the link is gone. */
    public long enter(LinkCall call) {
        return calls.add(call);
    }

    /** Forgets a call; what comes for it is dropped. */
    public void forget(long id) {
        calls.remove(id);
    }

    /** Tells the server that the result of a call is not wanted. */
    public void cancel(long id) {
        write(new Cancel(0, id).write(connection.allocator()));
        flush();
    }

    /** Writes a frame, which it takes over, to go at the next flush. */
    public void write(ByteBuf frame) {
        connection.write(frame);
    }

    /** Writes the frame of a call, which it takes over, and sends it soon; at once if no other call is under way. */
    public void defer(ByteBuf frame) {
        int bytes = frame.readableBytes();
        write(frame);
        if (calls.size() <= 1) {
            flush();
        } else if (deferred.incrementAndGet() >= MAX_DEFERRED || deferredBytes.addAndGet(bytes) >= MAX_DEFERRED_BYTES) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /** Tells the server, with the next flush, that somebody is blocked on a call. */
    public void tellAwaited(long id) {
        awaited.add(id);
        scheduleFlush();
    }

    /** Sends what was written. */
    public void flush() {
        if (!awaited.isEmpty()) {
            write(new Awaited(0, awaited.take()).write(connection.allocator()));
        }
        deferred.set(0);
        deferredBytes.set(0);
        connection.flush();
    }

    /** Sends what was written, soon: others may have more to write. */
    public void flushSoon() {
        if (deferred.incrementAndGet() >= MAX_DEFERRED) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /** Sends what was deferred, if anything was. */
    public void flushDeferred() {
        if (deferred.get() > 0 || !awaited.isEmpty()) {
            flush();
        }
    }

    /** Closes the connection. */
    public void close() {
        connection.close();
    }

    @Override
    public void onOpen(Connection opened) {
        owner.onOpened(this);
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        try {
            handle(Header.kind(frame), frame);
        } catch (WireException | SerialException e) {
            giveUp(Failures.code(e), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void onClose(Connection closed, @Nullable Throwable cause) {
        String why = goneBecause;
        Throwable reason = why == null ? cause : new TransportException(why, cause);
        for (LinkCall call : calls.close()) {
            call.lost(reason);
        }
        tables.values().forEach(PeerTables::end);
        owner.onClosed(this, reason);
    }

    private void handle(FrameKind kind, ByteBuf frame) {
        switch (kind) {
            case REQUEST -> owner.onRequest(this, frame);
            case REPLY -> {
                LinkCall call = calls.remove(Header.id(frame));
                if (call != null) {
                    call.answeredBy(tables(Header.peer(frame)));
                    Replies.end(call, kind, frame, tables(Header.peer(frame)).types());
                }
            }
            case FAILURE -> {
                LinkCall call = calls.remove(Header.id(frame));
                if (call != null) {
                    call.answeredBy(tables(Header.peer(frame)));
                    Replies.end(call, kind, frame, tables(Header.peer(frame)).types());
                } else {
                    owner.onRegistry(this, kind, frame);
                }
            }
            case TYPES -> tables(Header.peer(frame)).announced(Types.read(frame));
            case METHODS -> tables(Header.peer(frame)).announced(Methods.read(frame));
            case CANCEL -> {
                Cancel cancel = Cancel.read(frame);
                owner.onCancel(this, cancel.peer(), cancel.id());
            }
            case LANE_END -> owner.onLaneEnd(this, LaneEnd.read(frame));
            case AWAITED -> owner.onAwaited(this, Awaited.read(frame));
            case PING -> {
                write(new Pong(Ping.read(frame).id(), owner.load()).write(connection.allocator()));
                flush();
            }
            case PEER_GONE -> {
                PeerTables gone = tables.remove(Header.peer(frame));
                if (gone != null) {
                    gone.end();
                }
                owner.onPeerGone(this, Header.peer(frame));
            }
            case GOAWAY -> {
                goneBecause = GoAway.read(frame).text();
                close();
            }
            case HELD -> {
                Held held = Held.read(frame);
                owner.onHeld(tables(held.peer()), held);
            }
            case HELLO -> throw new WireException(ErrorCode.PROTOCOL, "a second HELLO");
            case PONG, LOOKUP, WATCH, LIST, REGISTER, UNREGISTER, REGISTERED, LEASE, REPLICAS, SERVICES ->
                owner.onRegistry(this, kind, frame);
        }
    }

    /** Tells the peer why, and closes. */
    private void giveUp(ErrorCode code, String why) {
        LOG.log(System.Logger.Level.WARNING, "closing the connection to {0}: {1}", connection.peer(), why);
        goneBecause = why;
        write(new GoAway(code, why).write(connection.allocator()));
        flush();
        close();
    }

    private void scheduleFlush() {
        if (!flushScheduled.get() && flushScheduled.compareAndSet(false, true)) {
            context.timer().schedule(Duration.ofNanos(FLUSH_MICROS * 1000L), this::flushLate);
        }
    }

    private void flushLate() {
        flushScheduled.set(false);
        flushDeferred();
    }
}
