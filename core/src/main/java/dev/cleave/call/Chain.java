package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls that one replica runs one at a time, in the order in which they are sent, as their caller sees them.
 *
 * <p>In a chain the server executes no call behind one that failed, in a group no call behind one that was not
 * executed. A call that was not executed for that reason, or not sent because the caller knew of the failure, is made
 * again when it is awaited.
 *
 * <p>Only the thread that sends may use it; any thread may call {@link #breakOff} and {@link #failed}.
 */
public final class Chain {

    private final Lane.Kind kind;
    private @Nullable Object calls;
    private @Nullable Link link;
    private @Nullable String replica;
    private long id;
    private int sent;
    private Map<Integer, Handle> passed = Map.of(); // by the index of the parameter
    private volatile boolean broken;
    private @Nullable Handle last;

    private Chain(Lane.Kind kind) {
        this.kind = kind;
    }

    /** A chain without calls. */
    public static Chain stopping() {
        return new Chain(Lane.Kind.CHAIN);
    }

    /** A chain without calls, in which the result of a call may be {@linkplain #pass passed} on to a later one. */
    public static Chain dependent() {
        return new Chain(Lane.Kind.DEPENDENT);
    }

    /** A group without calls. */
    public static Chain ordered() {
        return new Chain(Lane.Kind.GROUP);
    }

    /** Says whether calls of a stub may follow: a chain takes calls of one stub only, that of its first call. */
    public boolean accepts(Object stub) {
        if (calls == null) {
            calls = stub;
        }
        return calls == stub;
    }

    /** Whether the failure of a call ends the chain; false for a group. */
    public boolean stopsAtFailures() {
        return kind != Lane.Kind.GROUP;
    }

    /** Whether results can be passed on. */
    public boolean passesResults() {
        return kind == Lane.Kind.DEPENDENT;
    }

    /**
     * Says that the next call is given the result of an earlier one of this chain, which need not be known yet, in the
     * place of the argument that it is called with.
     *
     * @param parameter index among the parameters of the method
     */
    public void pass(int parameter, Handle result) {
        if (passed.isEmpty()) {
            passed = new HashMap<>();
        }
        passed.put(parameter, result);
    }

    /** Returns the results passed to the next call, by index of the parameter, and forgets them. */
    public Map<Integer, Handle> takePassed() {
        Map<Integer, Handle> taken = passed;
        passed = Map.of();
        return taken;
    }

    /** Whether the caller sends no more calls of this chain. */
    public boolean isBroken() {
        return broken;
    }

    /** Makes the caller send no more calls of this chain. From any thread. */
    public void breakOff() {
        broken = true;
    }

    /** Records that a call of the chain has ended otherwise than by a result. From any thread. */
    public void failed(boolean wasExecuted) {
        if (stopsAtFailures() || !wasExecuted) {
            breakOff();
        }
    }

    /** Records that a call is sent behind the others; returns the call before it, null for the first. */
    public @Nullable Handle sends(Handle call) {
        Handle before = last;
        last = call;
        return before;
    }

    /** Returns the link over which the calls go; null before the first call. */
    public @Nullable Link link() {
        return link;
    }

    /** Returns the replica at the end of the link, null if the broker chooses it. */
    public @Nullable String replica() {
        return replica;
    }

    /** Opens the lane with the first call, whose number names the lane. */
    public Lane open(Link over, @Nullable String to, long call) {
        link = requireNonNull(over, "over");
        replica = to;
        id = call;
        sent = 1;
        return new Lane(id, kind, true);
    }

    /** The lane for a later call. */
    public Lane lane() {
        sent++;
        return new Lane(id, kind, false);
    }

    /** Returns the number of the lane; -1 if no call has been sent since the chain began. */
    public long laneId() {
        return link == null ? -1 : id;
    }

    /** Returns the place in the lane, counted from 0, of the call for which a lane was asked for last. */
    public int lastNumber() {
        return sent - 1;
    }

    /** Ends the chain: sends no more calls, and tells the server that the lane has ended. */
    public void end() {
        Link way = link;
        if (way != null && !way.isClosed()) {
            way.defer(new LaneEnd(0, id).write(way.connection().allocator()), Long.MAX_VALUE, null);
        }
        link = null;
        last = null;
        broken = true;
    }

    /** Makes the chain ready for new calls; only when all its calls have ended. */
    public void renew() {
        end();
        calls = null;
        replica = null;
        broken = false;
    }
}
