package dev.cleave.broker;

import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.health.Patient;
import dev.cleave.broker.migration.Mover;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.relay.BackPressure;
import dev.cleave.broker.relay.Relay;
import dev.cleave.broker.relay.RelaySession;
import dev.cleave.call.FrameTable;
import dev.cleave.call.LinkCore;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Peer;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session of one connected node: gives its frames to the registry and to the relay.
 *
 * <p>A node that does not read its answers is not read from either, and is told of changes only when it reads again:
 * then it gets the current state of each changed service.
 */
final class Session implements FrameHandler, Patient, Mover, LoadGossip.Asker {

    private static final System.Logger LOG = SafeLog.of(Session.class);
    private static final long DISPLACED = 1L << 63; // answers no request
    static final int MANY_QUESTIONS = 256;
    private static final int FEW_QUESTIONS = 64;

    /** After this many intervals in which it reads nothing, each further one counts as silence. */
    private static final int UNREAD_INTERVALS = 18;

    private final LinkCore<Session> core;
    private final Connection connection;
    private final Peer peer;
    private final Listener listener;
    private final BackPressure pressure;
    private final RelaySession relayed;
    private final AtomicInteger questions = new AtomicInteger();
    private final Object manyQuestions = new Object(); // a reason for not reading
    private volatile boolean heard;
    private final Set<String> missed = new LinkedHashSet<>(); // services with untold changes; registry's thread only
    private final Queue<Runnable> unasked = new ArrayDeque<>(0); // questions that wait; registry's thread only
    private boolean askedToLeave; // registry's thread only
    private long unsentBefore; // registry's thread only
    private int unreadIntervals; // registry's thread only
    private volatile boolean anyMissed;
    private final AtomicBoolean pushing = new AtomicBoolean(); // a push of missed services is under way

    /** Hears what happens to a session. Called on the event thread of its connection, except {@link #onWritable}. */
    interface Listener {

        /** Handles that the node has greeted. */
        void onOpen(Session session);

        /** Handles that the session takes frames again that it did not take before. On any thread. */
        void onWritable(Session session);

        /** Handles the end of the connection. */
        void onClose(Session session);
    }

    Session(Connection connection, Peer peer, FrameTable<Session> frames, Relay relay, Listener listener) {
        core = new LinkCore<>(connection, peer, frames, true);
        this.connection = connection;
        this.peer = peer;
        this.listener = listener;
        pressure = new BackPressure(connection);
        relayed = new RelaySession(relay, this, core, pressure);
    }

    /** Returns the calls that the node makes and answers through the broker. */
    RelaySession relayed() {
        return relayed;
    }

    @Override
    public void onOpen(Connection opened) {
        listener.onOpen(this);
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        if (!heard) {
            heard = true;
        }
        relayed.onFrame();
        core.handle(this, frame);
    }

    @Override
    public void onReadComplete(Connection from) {
        relayed.onReadComplete();
    }

    @Override
    public void onWritable(Connection from) {
        pressure.onWritable();
        relayed.onWritable();
        listener.onWritable(this);
    }

    @Override
    public void onClose(Connection from, @Nullable Throwable cause) {
        if (cause != null) {
            Level level = cause instanceof WireException ? Level.WARNING : Level.DEBUG;
            LOG.log(level, "lost {0} at {1}: {2}", peer.node(), connection.peer(), cause);
        }
        Steps.runAll(
                LOG, "end of the connection to " + connection.peer(), relayed::onClose, () -> listener.onClose(this));
    }

    @Override
    public String address() {
        return connection.peer().toString();
    }

    @Override
    public @Nullable String identity() {
        return peer.identity();
    }

    /**
     * Reads an endpoint that a node registers.
     *
     * @throws RefusedException if it is none
     */
    static Endpoint endpoint(String text) {
        try {
            return Endpoint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(ErrorCode.PROTOCOL, String.valueOf(e.getMessage()));
        }
    }

    /** Registry's thread only. */
    @Override
    public void changed(ReplicaSet replicas) {
        if (missed.isEmpty() && connection.isWritable()) {
            answer(replicas(0, replicas));
        } else {
            missed.add(replicas.service());
            anyMissed = true;
            if (connection.isWritable()) {
                listener.onWritable(this);
            }
        }
    }

    /** Registry's thread only. */
    @Override
    public void displaced(String service, String replica, String by) {
        answer(new Failure(
                0,
                DISPLACED,
                ErrorCode.ALREADY_BOUND,
                Execution.NOT,
                "replica " + replica + " of service " + service + " was registered by another process at " + by));
    }

    /** Returns, once until {@link #pushMissed}, whether the node may have missed a change. On any thread. */
    boolean mayHaveMissed() {
        return anyMissed && !pushing.get() && pushing.compareAndSet(false, true);
    }

    /** Asks a question when there is room for its answer, after those before. Registry's thread only. */
    void whenWritable(Runnable question) {
        if (unasked.isEmpty() && connection.isWritable()) {
            question.run();
            return;
        }
        unasked.add(question);
        anyMissed = true;
        if (connection.isWritable()) {
            listener.onWritable(this);
        }
    }

    /** Asks the questions that waited, and tells the current state of missed services. Registry's thread only. */
    void pushMissed(Function<String, ReplicaSet> now) {
        pushing.set(false);
        try {
            while (!unasked.isEmpty() && connection.isWritable()) {
                unasked.remove().run();
            }
            while (!missed.isEmpty() && connection.isWritable()) {
                String service = missed.iterator().next();
                missed.remove(service);
                answer(replicas(0, now.apply(service)));
            }
        } finally { // also after an Error: no event comes any more for what is behind it
            anyMissed = !missed.isEmpty() || !unasked.isEmpty();
            if (anyMissed && connection.isWritable()) {
                listener.onWritable(this);
            }
        }
    }

    @Override
    public void ping(long id) {
        answer(new Ping(id));
    }

    @Override
    public boolean migrates() {
        return core.has(Hello.MIGRATES);
    }

    /** Whether the node understands which brokers there are. */
    boolean knowsClusters() {
        return core.has(FrameKind.WELCOME.feature());
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    /** Whether the connection has ended. */
    boolean isClosed() {
        return connection.isClosed();
    }

    /** Whether the node can be asked to leave. */
    boolean drains() {
        return core.has(FrameKind.DRAIN.feature());
    }

    /** Whether the node applies application files that it is sent. */
    boolean reloads() {
        return core.has(FrameKind.RELOAD.feature());
    }

    /** The name of the process of the node, at any broker. */
    String client() {
        return peer.node() + '/' + peer.incarnation();
    }

    /** The name of the node. */
    String name() {
        return peer.node();
    }

    /** Asks the node to leave, unless it was asked and may not have read that. Registry's thread only. */
    void askToLeave(Drain drain) {
        if (!askedToLeave || connection.isWritable()) {
            askedToLeave = true;
            answer(drain);
        }
    }

    @Override
    public void tell(Frame frame) {
        answer(frame instanceof CallClaim claim && !core.has(Hello.FENCES) ? claim.fencedBy(0) : frame);
    }

    /** Whether the peer is a broker that dials this one, by its word. */
    boolean isBroker() {
        return core.has(FrameKind.FORWARD.feature()) && !core.has(Hello.MIGRATES);
    }

    @Override
    public boolean isHeld() {
        return relayed.waitsForClients();
    }

    @Override
    public boolean takeHeard() {
        boolean was = heard || pressure.isHeld() && !readsNothing(); // the broker does not read: no silence
        heard = false;
        return was;
    }

    /** Whether it has read nothing of what was written for too many intervals. */
    private boolean readsNothing() {
        long before = unsentBefore;
        unsentBefore = connection.unsent();
        if (connection.isWritable() || unsentBefore < before) {
            unreadIntervals = 0;
        } else {
            unreadIntervals++;
        }
        return unreadIntervals > UNREAD_INTERVALS;
    }

    @Override
    public void giveUp(String why) {
        core.refuse(ErrorCode.CONNECTION_LOST, why);
    }

    /** Counts a question to the registry. */
    void asked() {
        if (questions.incrementAndGet() >= MANY_QUESTIONS) {
            pressure.hold(manyQuestions);
            releaseIfFew(questions.get()); // all questions may have been answered before the hold
        }
    }

    /** Counts an answer of the registry. */
    void answered() {
        releaseIfFew(questions.decrementAndGet());
    }

    private void releaseIfFew(int open) {
        if (open <= FEW_QUESTIONS) {
            pressure.release(manyQuestions);
        }
    }

    /** Whether the node serves no relayed calls. From any thread. */
    boolean isOfClient() {
        return relayed.isOfClient();
    }

    /** Asks the node to send nothing more, and to close when the calls that it has made have ended. From any thread. */
    void sendAway() {
        connection.write(GoAway.leaving("the broker leaves").write(connection.allocator()));
        connection.flush();
    }

    /** Writes and sends a frame. From any thread. */
    void answer(Frame frame) {
        connection.write(frame.write(connection.allocator()));
        connection.flush();
        pressure.answered();
    }

    /** Returns the bytes that were written to it and not sent. */
    long unsent() {
        return connection.unsent();
    }

    /** Returns how many questions to the registry have not been answered. */
    int questions() {
        return questions.get();
    }

    /** Closes the connection: the node leaves. */
    void close() {
        connection.close();
    }

    /** Builds the description of a service for a node; {@code id} is that of its request, or 0. */
    static Replicas replicas(long id, ReplicaSet set) {
        return new Replicas(id, set.service(), set.version(), set.route(), set.replicas(), set.withdrawn());
    }
}
