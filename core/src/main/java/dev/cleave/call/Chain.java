package dev.cleave.call;

import dev.cleave.wire.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls that one replica runs one at a time, in the order in which they are sent, as their caller sees them. A
 * {@linkplain #dependent dependent} chain may have calls of several stubs: those of one server are such a
 * {@linkplain ChainLane lane}, and those of several servers are ordered by the results that they need, or by guards.
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
    private @Nullable Handle last;
    private final List<ChainLane> lanes = new ArrayList<>(1);
    private Map<Integer, Handle> passed = Map.of(); // by the index of the parameter
    private int uses; // of the result of the next call
    private volatile boolean broken;

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

    /**
     * Says whether calls of a stub may follow: all, if results can be passed on, else those of the stub of its first
     * call.
     */
    public boolean accepts(Object stub) {
        return isOf(stub) || passesResults();
    }

    /** Whether a stub is that of the first call; if there is none yet, it becomes that. */
    public boolean isOf(Object stub) {
        if (calls == null) {
            calls = stub;
        }
        return calls == stub;
    }

    /**
     * The call that was sent last, which a call of another lane must be guarded by to run behind it, and not if it fails; null if
     * there is none.
     */
    public @Nullable Handle last() {
        return last;
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

    /**
     * Says that the program uses the result of the next call for nothing but arguments of later calls of this chain.
     *
     * @param times how many arguments; 0 if that is not so
     */
    public void isUsedBy(int times) {
        uses = times;
    }

    /** Returns how many arguments of later calls the result of the next call is used for alone, and forgets it. */
    public int takeUses() {
        int taken = uses;
        uses = 0;
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

    /** The lanes that have been opened, the first one first. */
    public List<ChainLane> lanes() {
        return lanes;
    }

    /** Opens a lane for calls of a stub with the first call, whose number names the lane. */
    public ChainLane open(Object stub, Link over, @Nullable String to, long call) {
        ChainLane opened = new ChainLane(kind, stub, over, to, call);
        lanes.add(opened);
        return opened;
    }

    /** Records that a call is sent in a lane behind the others; returns the call before it, null for the first. */
    public @Nullable Handle sends(ChainLane in, Handle call) {
        last = call;
        return in.sends(call);
    }

    /** Ends the chain: sends no more calls, and tells the servers that the lanes have ended. */
    public void end() {
        lanes.forEach(ChainLane::end);
        lanes.clear();
        broken = true;
    }

    /** Makes the chain ready for new calls; only when all its calls have ended. */
    public void renew() {
        end();
        calls = null;
        last = null;
        broken = false;
    }
}
