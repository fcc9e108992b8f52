package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Aggregate;
import dev.cleave.config.Pings;
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
import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.Hello;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Load;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Moved;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Pull;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Suspected;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks: both sides say hello, then calls go both ways.
 *
 * <p>Frames that are {@linkplain #defer deferred} go at the next {@link #flush}, or when there are {@linkplain Deferred many},
 * or after {@value #FLUSH_MICROS} to twice as many microseconds; unless it is said how much may be gathered.
 */
public final class Link implements FrameHandler {

    static final int FLUSH_MICROS = 200;

    private static final Duration FLUSH = Duration.ofNanos(FLUSH_MICROS * 1000L);
    private static final int MOST_IDLE_TICKS = 8;
    private static final int MOST_UNSETTLED = 256;
    private static final int MOST_UNSETTLED_BYTES = 256 << 10;

    private static final System.Logger LOG = System.getLogger(Link.class.getName());

    private final LinkContext context;
    private final LinkOwner owner;
    private final Connection connection;
    private final Peer peer;
    private final CallTable calls = new CallTable();
    private final Heartbeat heartbeat = new Heartbeat(this);
    private final Map<Integer, PeerTables> tables = new ConcurrentHashMap<>();
    private final PeerTables direct;
    private final AtomicReference<@Nullable Load> reported = new AtomicReference<>();
    private final AwaitedCalls awaited = new AwaitedCalls();
    private final Set<String> pulls = ConcurrentHashMap.newKeySet(0); // services whose calls the peer is asked about
    private final Set<String> pulled = ConcurrentHashMap.newKeySet(0); // services whose calls the peer asks about
    private final LinkBlocks blocks;
    private final Deferred deferred = new Deferred();
    private final AtomicBoolean flushScheduled = new AtomicBoolean();
    private final AtomicLong due = new AtomicLong(); // when what was gathered is to go, odd; 0 if nothing is to
    private int idleTicks; // of whoever has set flushScheduled
    private boolean answered; // since the last flush, while frames were handled; event thread only
    private @Nullable Thread reader; // handles frames that came together; a thread knows whether it is that one
    private final List<Runnable> afterRead = new ArrayList<>(0); // event thread only
    private volatile @Nullable String goneBecause;
    private volatile boolean leaving;
    private final boolean accepted;
    private final long number; // that this node has given it; 0 if the peer has
    private volatile @Nullable Remembered memory; // of the calls of a peer that has given it a number
    private long numberOfPeer; // event thread only
    private int settledCalls; // that the peer has not been told of; event thread only
    private int settledBytes; // event thread only

    private Link(Connection connection, Peer peer, LinkContext context, LinkOwner owner, boolean accepted) {
        this.accepted = accepted;
        this.connection = requireNonNull(connection, "connection");
        this.peer = requireNonNull(peer, "peer");
        this.context = requireNonNull(context, "context");
        this.owner = requireNonNull(owner, "owner");
        number = accepted || !has(Hello.REMEMBERS) ? 0 : context.memories().nextConnection();
        blocks = new LinkBlocks(this, calls);
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
                Link link = new Link(connection, peer, context, owner, false);
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
                .listen(transport, endpoint, (connection, peer) -> new Link(connection, peer, context, owner, true));
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

    /** Whether the peer has a feature that this node has, too. */
    public boolean has(long feature) {
        return (peer.features() & feature) != 0;
    }

    /** The large values that go over it. */
    public LinkBlocks blocks() {
        return blocks;
    }

    /** What is remembered of the calls that come over it; null if its peer cannot ask for them. */
    public @Nullable Remembered memory() {
        return memory;
    }

    /** The number of its connection, by which its calls can be recalled over another one; 0 if they cannot. */
    public long number() {
        return number;
    }

    /** Whether this side has given the peer up, which may be there all the same. */
    public boolean isGivenUp() {
        return goneBecause != null;
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

    /** Forgets a call; what comes for it is dropped. Says whether it was waited for until now. */
    public boolean forget(long id) {
        blocks.forgotten(id);
        return calls.remove(id) != null;
    }

    /** Tells the server that the result of a call is not wanted. */
    public void cancel(long id) {
        write(new Cancel(0, id).write(connection.allocator()));
        flush();
    }

    /** An interval of pings has passed: counts the peer's silence, and pings it. From any thread. */
    public void beat(Pings pings) {
        heartbeat.beat(pings);
    }

    /** Whether the peer has dialled. */
    public boolean isAccepted() {
        return accepted;
    }

    /** Asks the peer to make no more calls, and to close when those under way have ended. */
    public void sendAway(String why) {
        write(GoAway.leaving(why).write(connection.allocator()));
        flush();
    }

    /** Whether the peer wishes to leave, and gets no new calls. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Whether the peer has been silent for so long that it gets no new calls. */
    public boolean isSuspect() {
        return heartbeat.isSuspect();
    }

    /** Asks the peer how busy it is. */
    public void askLoad() {
        write(new Ping(0).write(connection.allocator()));
        flush();
    }

    /** Asks the peer, once, to say which calls of a service have begun, if it can. */
    public void pull(String service) {
        if ((peer.features() & Hello.PULL) != 0 && pulls.size() < Pull.MOST && pulls.add(service)) {
            write(new Pull(service).write(connection.allocator()));
        }
    }

    /** A call of the peer, or of a client that it relays, begins: it hears of that if it has asked to. */
    public void begins(String service, int client, long id) {
        if (!pulled.isEmpty() && pulled.contains(service)) {
            write(new Begun(client, List.of(id)).write(connection.allocator()));
            flush();
        }
    }

    /** How busy the peer has said it is since this was last asked for; null if it has said nothing. */
    public @Nullable Load takeLoad() {
        return reported.getAndSet(null);
    }

    /** Writes a frame, which it takes over, to go at the next flush. */
    public void write(ByteBuf frame) {
        connection.write(frame);
    }

    void defer(ByteBuf frame, long id) {
        int bytes = frame.readableBytes();
        write(frame);
        if (deferred.mustGoWith(id, bytes, calls.size() <= 1)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /**
     * Writes the frame of a call, which it takes over, and sends it when as much has been gathered as is said.
     *
     * @param id the number of the call
     * @param most how much that is; null to send it soon, at once if no other call is under way
     */
    public void defer(ByteBuf frame, long id, @Nullable Aggregate most) {
        if (most == null) {
            defer(frame, id);
            return;
        }
        int bytes = frame.readableBytes();
        write(frame);
        flushWithin(most.delay(), deferred.mustGoWith(id, bytes, most.bytes()));
    }

    /** A reply of so many bytes was written that nobody is known to wait for: it goes when as much has been gathered as is said. */
    public void gathered(int bytes, Aggregate most) {
        flushWithin(most.delay(), deferred.isGathered(bytes, most.bytes()));
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
        deferred.sent();
        connection.flush();
    }

    /** Sends what was written, soon: others may have more to write. */
    public void flushSoon() {
        if (deferred.isFull(0)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /** Sends what was written when all frames that came together have been handled. On the event thread. */
    public void flushAfterRead() {
        answered = true;
    }

    /**
     * Runs a task once when all frames that came together have been handled; false if the current thread does not handle such
     * frames.
     */
    public boolean afterRead(Runnable task) {
        if (reader != Thread.currentThread()) {
            return false;
        }
        if (!afterRead.contains(task)) {
            afterRead.add(task);
        }
        return true;
    }

    /** A call is awaited: sends what was deferred, if that call may be among it, or the server may be short of work. */
    public void flushFor(long id) {
        if (deferred.mustGoFor(id, calls.size()) || !awaited.isEmpty()) {
            flush();
        }
    }

    /** Closes the connection. */
    public void close() {
        connection.close();
    }

    @Override
    public void onOpen(Connection opened) {
        if (number != 0) {
            write(new Settled(1, number).write(connection.allocator()));
        }
        owner.onOpened(this);
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        heartbeat.onFrame();
        if (reader == null) {
            reader = Thread.currentThread();
        }
        try {
            handle(Header.kind(frame), frame);
        } catch (WireException | SerialException e) {
            giveUp(Failures.code(e), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void onReadComplete(Connection from) {
        reader = null;
        for (int i = 0; i < afterRead.size(); i++) {
            afterRead.get(i).run();
        }
        afterRead.clear();
        if (answered) {
            answered = false;
            flush();
        }
    }

    @Override
    public void onWritable(Connection from) {
        blocks.onWritable();
    }

    @Override
    public void onClose(Connection closed, @Nullable Throwable cause) {
        String why = goneBecause;
        Throwable reason = why == null ? cause : new TransportException(why, cause);
        blocks.close();
        for (LinkCall call : calls.close()) {
            call.lost(reason);
        }
        tables.values().forEach(PeerTables::end);
        owner.onClosed(this, reason);
        Remembered known = memory;
        if (known != null) {
            context.memories().closed(this, numberOfPeer, known);
        }
    }

    private void handle(FrameKind kind, ByteBuf frame) {
        switch (kind) {
            case REQUEST -> owner.onRequest(this, frame);
            case CHUNK -> blocks.onChunk(frame);
            case CREDIT -> blocks.onCredit(frame);
            case REPLY -> {
                if (Blocks.follow(frame)) {
                    blocks.onReply(frame);
                    return;
                }
                LinkCall call = calls.remove(Header.id(frame));
                if (call != null) {
                    int bytes = frame.readableBytes();
                    call.answeredBy(tables(Header.peer(frame)));
                    Replies.end(call, kind, frame, tables(Header.peer(frame)).types());
                    closeIfDone();
                    settled(bytes);
                }
            }
            case FAILURE -> {
                LinkCall call = calls.remove(Header.id(frame));
                if (call != null) {
                    blocks.forgotten(Header.id(frame));
                    call.answeredBy(tables(Header.peer(frame)));
                    Replies.end(call, kind, frame, tables(Header.peer(frame)).types());
                    closeIfDone();
                    settled(0);
                } else if (!blocks.failed(frame)) {
                    owner.onRegistry(this, kind, frame);
                }
            }
            case TYPES -> tables(Header.peer(frame)).announced(Types.read(frame));
            case METHODS -> tables(Header.peer(frame)).announced(Methods.read(frame));
            case CANCEL -> {
                Cancel cancel = Cancel.read(frame);
                blocks.cancelled(cancel.peer(), cancel.id());
                owner.onCancel(this, cancel.peer(), cancel.id());
            }
            case LANE_END -> owner.onLaneEnd(this, LaneEnd.read(frame));
            case AWAITED -> owner.onAwaited(this, Awaited.read(frame));
            case PULL -> {
                if (pulled.size() < Pull.MOST) {
                    pulled.add(Pull.read(frame).service());
                }
            }
            case BEGUN -> {
                for (long id : Begun.read(frame).calls()) {
                    LinkCall call = calls.get(id);
                    if (call != null) {
                        call.begun();
                    }
                }
            }
            case MOVED -> {
                Moved moved = Moved.read(frame);
                LinkCall call = calls.remove(moved.id());
                if (call != null) {
                    call.moved(moved.replica());
                }
            }
            case SUSPECTED -> {
                for (long id : Suspected.read(frame).calls()) {
                    LinkCall call = calls.get(id);
                    if (call != null) {
                        call.replicaSuspected();
                    }
                }
            }
            case SETTLED -> settled(Settled.read(frame));
            case RECALL -> context.memories().recall(this, Recall.read(frame));
            case LOAD_WATCH, CALL_CLAIM -> owner.onMigration(this, kind, frame);
            case LOADED, CALL_GRANT ->
                throw new WireException(ErrorCode.PROTOCOL, kind + " from a node (expected: to a broker)");
            case PING -> {
                write(new Pong(Ping.read(frame).id(), owner.load()).write(connection.allocator()));
                flush();
            }
            case PEER_GONE -> {
                PeerTables gone = tables.remove(Header.peer(frame));
                if (gone != null) {
                    gone.end();
                }
                blocks.peerGone(Header.peer(frame));
                owner.onPeerGone(this, Header.peer(frame));
            }
            case GOAWAY -> {
                GoAway said = GoAway.read(frame);
                if (said.isPatient()) {
                    leave();
                } else {
                    goneBecause = said.text();
                    close();
                }
            }
            case HELD -> {
                Held held = Held.read(frame);
                owner.onHeld(tables(held.peer()), held);
            }
            case HELLO -> throw new WireException(ErrorCode.PROTOCOL, "a second HELLO");
            case DATAGRAMS, RESENT -> throw new WireException(ErrorCode.PROTOCOL, kind + " beside no datagrams");
            case PONG -> reported.set(Pong.read(frame).load());
            case LOOKUP, WATCH, LIST, REGISTER, UNREGISTER, REGISTERED, LEASE, REPLICAS, SERVICES, DRAIN ->
                owner.onRegistry(this, kind, frame);
        }
    }

    /** A call has got its outcome: the peer hears of that now and then, with what is sent next. Event thread only. */
    private void settled(int bytes) {
        settledBytes += bytes;
        if (number != 0 && (++settledCalls >= MOST_UNSETTLED || settledBytes >= MOST_UNSETTLED_BYTES)) {
            settledCalls = 0;
            settledBytes = 0;
            write(new Settled(calls.lowest(), number).write(connection.allocator()));
        }
    }

    private void settled(Settled said) {
        if (!accepted) {
            throw new WireException(ErrorCode.PROTOCOL, "SETTLED from a peer that was dialled");
        }
        Remembered known = memory;
        if (known == null) {
            numberOfPeer = said.connection();
            known = context.memories().opened(this, numberOfPeer);
            memory = known;
        }
        known.settled(said.mark());
    }

    /** The peer is suspect from now on, or not any more. Event thread only. */
    void suspicionChanged() {
        owner.onSuspicion(this);
        if (isSuspect()) {
            LOG.log(System.Logger.Level.INFO, "nothing is heard of {0} at {1}", peer.node(), connection.peer());
        }
    }

    /** The peer is still suspect. Event thread only. */
    void suspectCalls() {
        calls.all().forEach(LinkCall::suspected);
    }

    private void leave() {
        calls.refuseMore();
        leaving = true;
        owner.onSuspicion(this);
        closeIfDone();
    }

    /** Closes when the peer wishes to leave and no call is under way there. */
    void closeIfDone() {
        if (leaving && calls.size() == 0 && blocks.results() == 0) {
            close();
        }
    }

    /** Gives the peer up. */
    void lose(String why) {
        LOG.log(System.Logger.Level.WARNING, "giving up {0} at {1}: {2}", peer.node(), connection.peer(), why);
        goneBecause = why;
        close();
    }

    /** Tells the peer why, and closes. */
    private void giveUp(ErrorCode code, String why) {
        LOG.log(System.Logger.Level.WARNING, "closing the connection to {0}: {1}", connection.peer(), why);
        goneBecause = why;
        write(new GoAway(code, why).write(connection.allocator()));
        flush();
        close();
    }

    private void flushWithin(Duration delay, boolean now) {
        if (now || delay.isZero()) {
            flush();
            return;
        }
        long at = context.timer().nanos() + delay.toNanos() | 1;
        long known = due.get();
        if ((known == 0 || at - known < 0) && due.compareAndSet(known, at)) {
            context.timer().scheduleAt(at, () -> {
                if (due.compareAndSet(at, 0)) {
                    flush();
                }
            });
        }
    }

    private void scheduleFlush() {
        if (!flushScheduled.get() && flushScheduled.compareAndSet(false, true)) {
            idleTicks = 0;
            context.timer().schedule(FLUSH, this::flushLate);
        }
    }

    /** Comes again and again while there is something to send: to begin anew costs the sender more. */
    private void flushLate() {
        if (deferred.isOverdue() || !awaited.isEmpty()) {
            idleTicks = 0;
            flush();
        } else if (!deferred.any() && ++idleTicks > MOST_IDLE_TICKS) {
            flushScheduled.set(false);
            if (deferred.any() || !awaited.isEmpty()) {
                scheduleFlush();
            }
            return;
        }
        if (!isClosed()) {
            context.timer().schedule(FLUSH, this::flushLate);
        }
    }
}
