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
 * <p>In a chain nothing is executed behind a call that failed, in a group nothing behind one that was not executed. What
 * was not executed for that reason, or was not sent at all because the caller knew of it, is made anew at its await.
 *
 * <p>Confined to the thread that sends, but for {@link #breakOff}.
 */
public final class Chain {

    private final Lane.Kind kind;
    private @Nullable Object calls;
    private @Nullable Link link;
    private @Nullable String replica;
    private long id;
    private int sent;
    private Map<Integer, Handle> passed = Map.of(); // by parameter
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

    /** Takes calls of one stub only: says whether those of another may follow. */
    public boolean accepts(Object stub) {
        if (calls == null) {
            calls = stub;
        }
        return calls == stub;
    }

    /** Whether a failure ends it. */
    public boolean stopsAtFailures() {
        return kind != Lane.Kind.GROUP;
    }

    /** Whether results can be passed on. */
    public boolean passesResults() {
        return kind == Lane.Kind.DEPENDENT;
    }

    /**
     * Says that the next call is given the result of an earlier one of this chain, which need not be known yet, in the place
     * of the argument that it is called with.
     *
     * @param parameter index among the parameters of the method
     */
    public void pass(int parameter, Handle result) {
        if (passed.isEmpty()) {
            passed = new HashMap<>();
        }
        passed.put(parameter, result);
    }

    /** What was passed to the next call, by parameter; it is no longer known afterwards. */
    public Map<Integer, Handle> takePassed() {
        Map<Integer, Handle> taken = passed;
        passed = Map.of();
        return taken;
    }

    /** Whether nothing is sent any more. */
    public boolean isBroken() {
        return broken;
    }

    /** Nothing is sent any more. From any thread. */
    public void breakOff() {
        broken = true;
    }

    /** A call of it has ended otherwise than by a result. From any thread. */
    public void failed(boolean wasExecuted) {
        if (stopsAtFailures() || !wasExecuted) {
            breakOff();
        }
    }

    /** A call is sent behind the others; returns the last of those, null if it is the first. */
    public @Nullable Handle sends(Handle call) {
        Handle before = last;
        last = call;
        return before;
    }

    /** The way of its calls; null before the first. */
    public @Nullable Link link() {
        return link;
    }

    /** The replica at the end of that way, null if there is none or the broker chooses. */
    public @Nullable String replica() {
        return replica;
    }

    /** The lane for the first call, whose number names it. */
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

    /** The number of its lane; -1 if it has none yet, or has begun again since. */
    public long laneId() {
        return link == null ? -1 : id;
    }

    /** The number of the call for which a lane was asked for last. */
    public int lastNumber() {
        return sent - 1;
    }

    /** Nothing is sent any more; whoever keeps account of it is told. */
    public void end() {
        Link way = link;
        if (way != null && !way.isClosed()) {
            way.defer(new LaneEnd(0, id).write(way.connection().allocator()), Long.MAX_VALUE, null);
        }
        link = null;
        last = null;
        broken = true;
    }

    /** Begins again; only when all calls have ended. */
    public void renew() {
        end();
        calls = null;
        replica = null;
        broken = false;
    }
}
