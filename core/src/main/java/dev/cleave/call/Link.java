package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.config.Aggregate;
import dev.cleave.config.MemoryBounds;
import dev.cleave.config.Pings;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Peer;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Ping;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection after its handshake: calls go both ways.
 *
 * <p>{@linkplain #defer Deferred} frames are sent at the next {@link #flush}, when {@linkplain Deferred enough} are
 * buffered, or after {@value Departures#FLUSH_MICROS} to twice as many microseconds; frames of methods with an
 * aggregate as that says.
 */
public final class Link implements FrameHandler {

    private static final System.Logger LOG = SafeLog.of(Link.class);

    private final LinkContext context;
    private final LinkOwner owner;
    private final LinkCore<Link> core;
    private final Connection connection;
    private final CallTable calls = new CallTable();
    private final PeerTables direct;
    private volatile Map<Integer, PeerTables> relayed = Map.of(); // by peer; growing with the first one
    private final LinkStreams streams;
    private final Departures departures;
    private final ReadBatch batch;
    private final Pulls pulls;
    private final Settlements settlements;
    private final ConnectionMemory memories;
    private final AtomicReference<@Nullable Load> reported = new AtomicReference<>();
    private final UnreadGate gate;
    private final Heartbeat heartbeat;
    private final NameBudget relayedNames = NameBudget.ofBroker();
    private final boolean accepted;
    private @Nullable Exiles exiles; // made on first use, event thread only
    private int unreadAnswers; // bytes, since the connection could be written to; event thread only
    private volatile boolean leaving; // the peer wishes to leave
    private volatile boolean unreachable; // the peer could not be reached after this link had closed
    private final ConnectionName number; // the name that this node gave the connection; none if the peer gave it

    private Link(Connection connection, Peer peer, LinkContext context, LinkOwner owner, Way way) {
        accepted = way == Way.ACCEPTED;
        this.connection = requireNonNull(connection, "connection");
        this.context = requireNonNull(context, "context");
        this.owner = requireNonNull(owner, "owner");
        boolean leadsToBroker = way == Way.DIALLED && (peer.features() & Hello.CREDIT_IN_ADVANCE) == 0;
        core = new LinkCore<>(connection, peer, owner.frames(), leadsToBroker);
        number = accepted || !has(Hello.REMEMBERS) ? ConnectionName.NONE : ConnectionName.random();
        if (leadsToBroker) {
            core.exiles(Link::exile);
        }
        settlements = new Settlements(connection, number, calls);
        memories = new ConnectionMemory(context.memories(), peer, connection);
        batch = new ReadBatch(context.timer());
        departures = new Departures(connection, context.timer());
        pulls = new Pulls(core, departures::flush);
        gate = new UnreadGate(connection, leadsToBroker, this::awaitsPeer);
        heartbeat = new Heartbeat(this, gate);
        streams = new LinkStreams(this, calls);
        direct = new PeerTables(this, 0);
    }

    /** How a link comes about. */
    private enum Way {
        /** The peer has dialled: it is no broker, whatever it says. */
        ACCEPTED,
        /** To a broker or a node, as the peer says. */
        DIALLED,
        /** To an endpoint of a node: the peer is no broker, whatever it says. */
        DIALLED_NODE
    }

    /**
     * Connects to an endpoint that another peer has named as that of a node, and greets; blocks until the node has answered. It has
     * no peers behind it, even if it greets as a broker.
     *
     * @throws TransportException if the node cannot be reached, or speaks another protocol
     */
    public static Link dialNode(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        return dial(transport, endpoint, context, owner, Way.DIALLED_NODE);
    }

    /**
     * Connects and greets; blocks until the peer has answered.
     *
     * @throws TransportException if the peer cannot be reached, or speaks another protocol
     */
    public static Link dial(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        return dial(transport, endpoint, context, owner, Way.DIALLED);
    }

    private static Link dial(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner, Way way) {
        AtomicReference<Link> made = new AtomicReference<>();
        try {
            context.handshake().connect(transport, endpoint, (connection, peer) -> {
                Link link = new Link(connection, peer, context, owner, way);
                made.set(link);
                return link;
            });
            return requireNonNull(made.get());
        } catch (HandshakeException e) {
            String why = String.valueOf(e.getMessage());
            throw e.code() == ErrorCode.CONNECTION_LOST
                    ? TransportException.reached(why, e)
                    : new TransportException(why, e);
        }
    }

    /** Accepts peers at an endpoint. */
    public static Listener listen(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        return context.handshake()
                .listen(
                        transport,
                        endpoint,
                        (connection, peer) -> new Link(connection, peer, context, owner, Way.ACCEPTED));
    }

    /** The handlers that every link needs; an {@linkplain LinkOwner#frames owner} adds those of its own. */
    public static FrameTable.Builder<Link> frames() {
        return LinkFrames.table();
    }

    /** Returns the parts that all links of the node share. */
    public LinkContext context() {
        return context;
    }

    /** The connection below. */
    public Connection connection() {
        return connection;
    }

    /** Returns the node or broker at the other end. */
    public Peer peer() {
        return core.peer();
    }

    /** Whether this link reads nothing because the peer does not read. */
    boolean isHeld() {
        return gate.isHeld();
    }

    /** Whether this node awaits a reply or a result from the peer. */
    private boolean awaitsPeer() {
        return calls.size() > 0 || streams.results() > 0;
    }

    /** Whether the peer is a broker, with other peers behind it: one that was dialled and greets as brokers do. */
    boolean leadsToBroker() {
        return core.leadsToOthers();
    }

    /** Returns the bound of the names that the peers behind a broker have announced. */
    NameBudget relayedNames() {
        return relayedNames;
    }

    /**
     * Returns the type and method numbers agreed with a peer; 0 is the peer at the other end.
     *
     * @throws WireException if there is no such peer: the link leads to no broker
     */
    public PeerTables tables(int peer) {
        if (peer != 0 && !leadsToBroker()) {
            throw new WireException(ErrorCode.PROTOCOL, "peer: " + peer + " (expected: 0 on a direct connection)");
        }
        return peer == 0 ? direct : relayed().computeIfAbsent(peer, p -> new PeerTables(this, p));
    }

    private Map<Integer, PeerTables> relayed() {
        return relayed instanceof ConcurrentHashMap ? relayed : beginRelayed();
    }

    private synchronized Map<Integer, PeerTables> beginRelayed() {
        if (!(relayed instanceof ConcurrentHashMap)) {
            relayed = new ConcurrentHashMap<>();
        }
        return relayed;
    }

    /** Whether the peer has a feature that this node has, too. */
    public boolean has(long feature) {
        return core.has(feature);
    }

    /** Returns the streams of messages that go over this link. */
    public LinkStreams streams() {
        return streams;
    }

    /** Returns the kept outcomes of the calls that come over this link; null if its peer cannot ask for them. */
    public @Nullable Remembered memory() {
        return memories.known();
    }

    /** The name by which outcomes of its calls can be asked for over another connection; none if they cannot. */
    public ConnectionName number() {
        return number;
    }

    /** Whether this side has given the peer up; the peer may still run. */
    public boolean isGivenUp() {
        return core.why() != null;
    }

    /**
     * Says that the peer of this closed link could not be reached again when the outcome of a call was asked for: the
     * other calls of the link need not try for as long. On any thread.
     */
    public void peerIsUnreachable() {
        unreachable = true;
    }

    /** Whether the peer of this closed link could not be reached again. */
    public boolean isPeerUnreachable() {
        return unreachable;
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

    /** Forgets a call and drops its reply when that comes; returns whether the call was waiting until now. */
    public boolean forget(long id) {
        streams.forgotten(id);
        return calls.remove(id) != null;
    }

    /** Tells the server that the result of a call is not wanted. */
    public void cancel(long id) {
        write(new Cancel(0, id).write(connection.allocator()));
        flush();
    }

    /** Counts an interval of pings: counts the silence of the peer, and pings it. From any thread. */
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
        pulls.ask(service);
    }

    /** Tells the peer, if it has asked, that a call of it or of a client that it relays begins. */
    public void begins(String service, int client, long id) {
        pulls.begins(service, client, id);
    }

    /** Returns the load that the peer has last reported, once; null if it has reported none since. */
    public @Nullable Load takeLoad() {
        return reported.getAndSet(null);
    }

    /** Writes a frame, which the link takes over, to be sent at the next flush. */
    public void write(ByteBuf frame) {
        connection.write(frame);
    }

    /**
     * Writes the answer to a frame of the peer that is no call, to be sent at the next flush. Event thread only.
     *
     * @throws WireException if the peer is a broker that has asked and not read the answers; from other peers that do not read
     *     this node reads no questions
     */
    public void answer(Frame answer) {
        ByteBuf frame = answer.write(connection.allocator());
        if (connection.isWritable()) {
            unreadAnswers = 0;
        } else if (leadsToBroker()) {
            unreadAnswers += frame.readableBytes();
            if (unreadAnswers > MemoryBounds.UNREAD_ANSWERS) {
                frame.release();
                MemoryBounds.UNREAD.refused();
                throw new WireException(
                        ErrorCode.OVERLOAD,
                        "answers that the broker does not read: " + unreadAnswers + " bytes (expected: at most "
                                + MemoryBounds.UNREAD_ANSWERS + ")");
            }
        }
        write(frame);
    }

    /** Whether the peer has room for news that can wait, and are told as they are later. */
    public boolean isWritable() {
        return connection.isWritable();
    }

    /**
     * Writes the frame of a call, which the link takes over, and flushes it once {@code most} is gathered.
     *
     * @param id the number of the call
     * @param most how much is gathered before the flush; null to flush soon, at once if no other call is under way
     */
    public void defer(ByteBuf frame, long id, @Nullable Aggregate most) {
        departures.defer(frame, id, most, calls.size() <= 1);
    }

    /** Counts a reply that no thread is known to wait for, and flushes once {@code most} is gathered. */
    public void gathered(int bytes, Aggregate most) {
        departures.gathered(bytes, most);
    }

    /** Tells the server, with the next flush, that a thread is blocked on a call. */
    public void tellAwaited(long id) {
        departures.tellAwaited(id);
    }

    /** Sends what was written. */
    public void flush() {
        departures.flush();
    }

    /** Sends what was written soon, by a timer: other threads may write more. */
    public void flushSoon() {
        departures.flushSoon();
    }

    /** Sends what was written when all frames of one read have been handled. On the event thread. */
    public void flushAfterRead() {
        batch.answered();
    }

    /** The time at which the frame came that the current thread handles, by the clock of the node; now if it handles none. */
    public long arrivedAt() {
        return batch.nanos();
    }

    /** Records the time at which the current thread, which handles a frame, has run a call. */
    public void ranUntil(long nanos) {
        batch.ranUntil(nanos);
    }

    /** Runs a task once when all frames of this read are handled; false if the current thread handles none of them. */
    public boolean afterRead(Runnable task) {
        return batch.afterwards(task);
    }

    /** Flushes for a thread that awaits a call, if its frame may be deferred or the server may be short of work. */
    public void flushFor(long id) {
        departures.flushFor(id, calls.size());
    }

    /** Closes the connection. */
    public void close() {
        connection.close();
    }

    @Override
    public void onOpen(Connection opened) {
        settlements.opened();
        owner.onOpened(this);
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        heartbeat.onFrame();
        batch.begin();
        Exiles known = exiles;
        if (known == null || !known.holdOff(frame)) {
            core.handle(this, frame);
        }
        gate.onFrame();
    }

    private boolean exile(ByteBuf frame, ErrorCode code, String because) {
        if (!Exiles.isOfCaller(frame)) {
            return false;
        }
        Exiles known = exiles;
        if (known == null) {
            known = new Exiles(this);
            exiles = known;
        }
        known.exile(frame, code, because);
        ByteBuf gone = new PeerGone(Header.peer(frame)).write(connection.allocator());
        core.handle(this, gone);
        gone.release();
        return true;
    }

    @Override
    public void onReadComplete(Connection from) {
        if (batch.end()) {
            flush();
        }
        gate.check();
    }

    @Override
    public void onWritable(Connection from) {
        unreadAnswers = 0;
        gate.open();
        streams.onWritable();
    }

    @Override
    public void onClose(Connection closed, @Nullable Throwable cause) {
        String why = core.why();
        Throwable reason = why == null ? cause : new TransportException(why, cause);
        String what = "end of the connection to " + connection.peer();
        Steps.runAll(
                LOG,
                what,
                gate::close,
                streams::close,
                () -> Steps.forEach(LOG, what, calls.close(), call -> call.lost(reason)),
                direct::end,
                () -> Steps.forEach(LOG, what, relayed.values(), PeerTables::end),
                () -> owner.onClosed(this, reason),
                settlements::closed,
                memories::closed);
    }

    /** Handles an interval of pings in which nothing is awaited from the peer. From any thread. */
    void rest() {
        Remembered known = memories.known();
        if (known != null) {
            known.interval();
        }
        closeIfDone();
    }

    /** Handles an interval of pings; frames written here are sent with the ping. Event thread only. */
    void interval() {
        rest();
        settlements.interval();
    }

    /** Handles that the peer is suspect from now on, or no longer. Event thread only. */
    void suspicionChanged() {
        owner.onSuspicion(this);
        if (isSuspect()) {
            LOG.log(System.Logger.Level.INFO, "nothing is heard of {0} at {1}", peer().node(), connection.peer());
        }
    }

    /** Handles a GOAWAY: the peer wants no more calls, or has closed. Event thread only. */
    void sentAway(GoAway said) {
        if (!said.isPatient()) {
            core.closedByPeer(said);
            return;
        }
        calls.refuseMore();
        leaving = true;
        owner.onSuspicion(this);
        closeIfDone();
    }

    /** Handles that a relayed peer is gone. Event thread only. */
    void peerGone(int of) {
        PeerTables gone = of == 0 ? direct : relayed().remove(of);
        if (gone != null) {
            gone.end();
        }
        streams.peerGone(of);
    }

    /** Closes if the peer wishes to leave and no call to it is under way. */
    void closeIfDone() {
        if (leaving && calls.size() == 0 && streams.results() == 0) {
            connection.close();
        }
    }

    /** Gives the peer up, because it is taken for dead or breaks the protocol. */
    void lose(String why) {
        core.giveUp(why);
    }

    /** Keeps the load that the peer has reported. */
    void reported(Load load) {
        reported.set(load);
    }

    LinkOwner owner() {
        return owner;
    }

    CallTable calls() {
        return calls;
    }

    Pulls pulls() {
        return pulls;
    }

    Settlements settlements() {
        return settlements;
    }

    ConnectionMemory memories() {
        return memories;
    }
}
