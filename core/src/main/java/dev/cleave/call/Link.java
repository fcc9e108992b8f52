package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.config.Aggregate;
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
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks: both sides say hello, then calls go both ways.
 *
 * <p>Frames that are {@linkplain #defer deferred} go at the next {@link #flush}, or when there are {@linkplain Deferred many},
 * or after {@value Departures#FLUSH_MICROS} to twice as many microseconds; unless it is said how much may be gathered.
 */
public final class Link implements FrameHandler {

    private static final System.Logger LOG = SafeLog.of(Link.class);

    private final LinkContext context;
    private final LinkOwner owner;
    private final LinkCore<Link> core;
    private final Connection connection;
    private final CallTable calls = new CallTable();
    private final PeerTables direct;
    private volatile Map<Integer, PeerTables> relayed = Map.of(); // by peer; one that takes more once there is any
    private final LinkStreams streams;
    private final Departures departures;
    private final ReadBatch batch = new ReadBatch();
    private final Pulls pulls = new Pulls(this);
    private final Settlements settlements;
    private final ConnectionMemory memories;
    private final AtomicReference<@Nullable Load> reported = new AtomicReference<>();
    private final UnreadGate gate = new UnreadGate(this);
    private final Heartbeat heartbeat = new Heartbeat(this, gate);
    private final NameBudget relayedNames = NameBudget.ofBroker();
    private final boolean accepted;
    private volatile boolean leaving; // its peer
    private volatile boolean unreachable; // its peer, after this has closed
    private final ConnectionName number; // that this node has given it; none if the peer has

    private Link(Connection connection, Peer peer, LinkContext context, LinkOwner owner, boolean accepted) {
        this.accepted = accepted;
        this.connection = requireNonNull(connection, "connection");
        this.context = requireNonNull(context, "context");
        this.owner = requireNonNull(owner, "owner");
        boolean leadsToBroker = !accepted && (peer.features() & Hello.CREDIT_IN_ADVANCE) == 0;
        core = new LinkCore<>(connection, peer, owner.frames(), leadsToBroker);
        number = accepted || !has(Hello.REMEMBERS) ? ConnectionName.NONE : ConnectionName.random();
        settlements = new Settlements(connection, number, calls);
        memories = new ConnectionMemory(context.memories(), peer, connection);
        departures = new Departures(connection, context.timer());
        streams = new LinkStreams(this, calls);
        direct = new PeerTables(this, 0);
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
            String why = String.valueOf(e.getMessage());
            throw e.code() == ErrorCode.CONNECTION_LOST
                    ? TransportException.reached(why, e)
                    : new TransportException(why, e);
        }
    }

    /** Accepts peers at an endpoint. */
    public static Listener listen(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner) {
        return context.handshake()
                .listen(transport, endpoint, (connection, peer) -> new Link(connection, peer, context, owner, true));
    }

    /** The handlers that every link needs; an {@linkplain LinkOwner#frames owner} adds those of its own. */
    public static FrameTable.Builder<Link> frames() {
        return LinkFrames.table();
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
        return core.peer();
    }

    /** Whether nothing is read because the peer does not read. */
    boolean isHeld() {
        return gate.isHeld();
    }

    /** Whether something is waited for that the peer is to send. */
    boolean awaitsPeer() {
        return calls.size() > 0 || streams.results() > 0;
    }

    /** Whether the peer is a broker, behind which there are others: one that was dialled, and greets as brokers do. */
    boolean leadsToBroker() {
        return core.leadsToOthers();
    }

    /** What the names take that the peers behind a broker have announced. */
    NameBudget relayedNames() {
        return relayedNames;
    }

    /**
     * The numbers between this node and a peer; 0 is the direct one.
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

    /** The streams of messages that go over it. */
    public LinkStreams streams() {
        return streams;
    }

    /** What is remembered of the calls that come over it; null if its peer cannot ask for them. */
    public @Nullable Remembered memory() {
        return memories.known();
    }

    /** The name of its connection, by which its calls can be recalled over another one; none if they cannot. */
    public ConnectionName number() {
        return number;
    }

    /** Whether this side has given the peer up, which may be there all the same. */
    public boolean isGivenUp() {
        return core.why() != null;
    }

    /**
     * Says that the peer of this closed link could not be reached again when the outcome of a call was asked for: the other
     * calls of the link need not be as patient. On any thread.
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

    /** Forgets a call; what comes for it is dropped. Says whether it was waited for until now. */
    public boolean forget(long id) {
        streams.forgotten(id);
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
        pulls.ask(service);
    }

    /** A call of the peer, or of a client that it relays, begins: it hears of that if it has asked to. */
    public void begins(String service, int client, long id) {
        pulls.begins(service, client, id);
    }

    /** How busy the peer has said it is since this was last asked for; null if it has said nothing. */
    public @Nullable Load takeLoad() {
        return reported.getAndSet(null);
    }

    /** Writes a frame, which it takes over, to go at the next flush. */
    public void write(ByteBuf frame) {
        connection.write(frame);
    }

    /**
     * Writes the frame of a call, which it takes over, and sends it when as much has been gathered as is said.
     *
     * @param id the number of the call
     * @param most how much that is; null to send it soon, at once if no other call is under way
     */
    public void defer(ByteBuf frame, long id, @Nullable Aggregate most) {
        departures.defer(frame, id, most, calls.size() <= 1);
    }

    /** A reply of so many bytes was written that nobody is known to wait for: it goes when as much has been gathered as is said. */
    public void gathered(int bytes, Aggregate most) {
        departures.gathered(bytes, most);
    }

    /** Tells the server, with the next flush, that somebody is blocked on a call. */
    public void tellAwaited(long id) {
        departures.tellAwaited(id);
    }

    /** Sends what was written. */
    public void flush() {
        departures.flush();
    }

    /** Sends what was written, soon: others may have more to write. */
    public void flushSoon() {
        departures.flushSoon();
    }

    /** Sends what was written when all frames that came together have been handled. On the event thread. */
    public void flushAfterRead() {
        batch.answered();
    }

    /**
     * Runs a task once when all frames that came together have been handled; false if the current thread does not handle such
     * frames.
     */
    public boolean afterRead(Runnable task) {
        return batch.afterwards(task);
    }

    /** A call is awaited: sends what was deferred, if that call may be among it, or the server may be short of work. */
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
        core.handle(this, frame);
        gate.onFrame();
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

    /** An interval of pings has passed, and nobody waits for the peer. From any thread. */
    void rest() {
        Remembered known = memories.known();
        if (known != null) {
            known.interval();
        }
        closeIfDone();
    }

    /** An interval of pings has passed; what is written now goes with the ping. Event thread only. */
    void interval() {
        rest();
        settlements.interval();
    }

    /** The peer is suspect from now on, or not any more. Event thread only. */
    void suspicionChanged() {
        owner.onSuspicion(this);
        if (isSuspect()) {
            LOG.log(System.Logger.Level.INFO, "nothing is heard of {0} at {1}", peer().node(), connection.peer());
        }
    }

    /** The peer is to get no more calls, or has closed. Event thread only. */
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

    /** A relayed peer is gone. Event thread only. */
    void peerGone(int of) {
        PeerTables gone = of == 0 ? direct : relayed().remove(of);
        if (gone != null) {
            gone.end();
        }
        streams.peerGone(of);
    }

    /** Closes when the peer wishes to leave and no call is under way there. */
    void closeIfDone() {
        if (leaving && calls.size() == 0 && streams.results() == 0) {
            connection.close();
        }
    }

    /** Gives the peer up: it is taken for dead, or does not do what it has to. */
    void lose(String why) {
        core.giveUp(why);
    }

    /** The peer has said how busy it is. */
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
