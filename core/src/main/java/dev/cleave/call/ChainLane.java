package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneShare;
import dev.cleave.wire.SharedLane;
import java.security.SecureRandom;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link Chain} that one server runs, as their caller sees them. Used by the thread that sends, but for
 * {@link #canBeSharedWith}, {@link #shared}, {@link #hold} and {@link #release}.
 */
public final class ChainLane {

    private static final SecureRandom KEYS = new SecureRandom();

    private final Lane.Kind kind;
    private final Object stub;
    private final Link link;
    private final @Nullable String replica;
    private final long id;
    private int sent = 1;
    private @Nullable Handle last;

    @GuardedBy("this")
    private final Map<ChainLane, LaneShare> keys = new IdentityHashMap<>(0); // by the lane of the server that fetches

    @GuardedBy("this")
    private int readers; // calls that may need results

    @GuardedBy("this")
    private boolean hasEnded;

    ChainLane(Lane.Kind kind, Object stub, Link link, @Nullable String replica, long id) {
        this.kind = kind;
        this.stub = stub;
        this.link = requireNonNull(link, "link");
        this.replica = replica;
        this.id = id;
    }

    /** Whether its first call is of a stub. */
    public boolean isOf(Object calls) {
        return stub == calls;
    }

    /** Returns the link over which its calls go. */
    public Link link() {
        return link;
    }

    /** Returns the replica at the end of the link, null if the broker chooses it. */
    public @Nullable String replica() {
        return replica;
    }

    /** Whether a broker relays its calls. */
    public boolean isRelayed() {
        return replica == null;
    }

    /** The lane for its first call. */
    public Lane first() {
        return new Lane(id, kind, true);
    }

    /** The lane for a later call. */
    public Lane next() {
        sent++;
        return new Lane(id, kind, false);
    }

    /** Returns the place in the lane, counted from 0, of the call for which a lane was asked for last. */
    public int lastNumber() {
        return sent - 1;
    }

    /** Records that a call is sent behind the others; returns the call before it, null for the first. */
    @Nullable
    Handle sends(Handle call) {
        Handle before = last;
        last = call;
        return before;
    }

    /** Whether a peer knows how to share lanes. */
    public static boolean canShare(Link with) {
        return with.has(FrameKind.LANE_SHARE.feature());
    }

    /** Whether a peer runs a call only if a call of another lane has succeeded, and can say whether one has. */
    public static boolean canGuard(Link with) {
        return with.has(Hello.LANE_GUARDS);
    }

    /** Whether the server of another lane may have a key of its own, with which it fetches results. From any thread. */
    public synchronized boolean canBeSharedWith(ChainLane taker) {
        return keys.containsKey(taker)
                || keys.isEmpty()
                || keys.size() < LaneShare.MOST - 1 && link.has(Hello.LANE_KEYS);
    }

    /**
     * Lets its results be fetched with a key, and tells its server so. No other server gets that key: one that has it could
     * show results of its own under it. From any thread.
     *
     * @param endpoint at which its server is dialled
     * @param taker the lane of the server that fetches
     */
    public synchronized SharedLane shared(String endpoint, ChainLane taker) {
        LaneShare known = keys.get(taker);
        if (known == null) {
            known = new LaneShare(0, id, KEYS.nextLong(), KEYS.nextLong());
            keys.put(taker, known);
            link.defer(known.write(link.connection().allocator()), Long.MAX_VALUE, null);
        }
        return new SharedLane(known.high(), known.low(), endpoint);
    }

    /**
     * Lets this node itself fetch results, with a key that no server has if the peer knows several of one lane. From any thread.
     *
     * @param endpoint names this node; it is not dialled
     */
    public synchronized SharedLane sharedWithCaller(String endpoint) {
        boolean hasSeveral = keys.isEmpty() || link.has(Hello.LANE_KEYS);
        return shared(endpoint, hasSeveral ? this : keys.keySet().iterator().next());
    }

    /** Keeps the results at the server until {@link #release}. */
    public synchronized void hold() {
        readers++;
    }

    /** A call that might need results is over. From any thread. */
    public synchronized void release() {
        if (--readers == 0 && hasEnded) {
            sendEnd();
        }
    }

    /** Sends no more calls; tells the server when the program needs no results any more. */
    synchronized void end() {
        hasEnded = true;
        if (readers == 0) {
            sendEnd();
        }
    }

    private void sendEnd() {
        if (!link.isClosed()) {
            link.defer(new LaneEnd(0, id).write(link.connection().allocator()), Long.MAX_VALUE, null);
        }
    }
}
