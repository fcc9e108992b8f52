package dev.cleave.server;

import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls of one lane: the call whose turn it is, and those behind it. Guarded by its {@link Lanes}. */
final class LaneQueue implements SharedResults.Owner {

    /** The most results that are kept: as many as a window has calls. */
    static final int MOST_RESULTS = 64;

    private final Lanes.Caller caller;
    private final Lane lane;
    private final Deque<Invocation> waiting = new ArrayDeque<>();
    private @Nullable Invocation current;
    private final Map<Integer, WrittenValue> results = new LinkedHashMap<>(); // by the number of the call, oldest first
    private final Map<Integer, Pinned> pinned = new HashMap<>(); // results that have not been sent to the caller
    private int arrived;
    private boolean open = true;
    private boolean ended; // its caller sends no more calls
    private int succeeded; // calls that ended with a result, all behind one another: a chain runs none behind a failure
    private List<SharedResults> shared = List.of(); // for other servers, each with its key

    /**
     * A result that only this server has.
     *
     * @param uses how many arguments of later calls it is for yet
     */
    private record Pinned(WrittenValue value, int uses) {}

    LaneQueue(Lanes.Caller caller, Lane lane) {
        this.caller = caller;
        this.lane = lane;
    }

    Lanes.Caller caller() {
        return caller;
    }

    long id() {
        return lane.id();
    }

    /** Whether nothing may be executed behind a call that was not. */
    boolean isSticky() {
        return lane.isSticky();
    }

    /** Whether calls behind a call with this outcome may run. */
    boolean goesOnAfter(Execution execution, boolean hasResult) {
        return hasResult || !lane.isSticky() || !lane.isChain() && execution == Execution.EXECUTED;
    }

    /** Whether the time of a call begins to run only when it is its turn. */
    boolean isChain() {
        return lane.isChain();
    }

    /** Whether calls that come may still be executed. */
    boolean isOpen() {
        return open;
    }

    /** Lets no more calls in; those that have come stay. */
    void shut() {
        open = false;
    }

    /** Whether the lane can be forgotten; not while calls may follow in it. */
    boolean isOver() {
        boolean mayBeFetched = !ended && (!shared.isEmpty() || !pinned.isEmpty());
        return current == null && waiting.isEmpty() && !(isSticky() && open) && !mayBeFetched;
    }

    /** Lets no more calls in, and no server fetches results: its caller needs the lane no more. */
    void end() {
        open = false;
        ended = true;
    }

    /** Whether its caller needs the lane no more. */
    boolean hasEnded() {
        return ended;
    }

    /** Lets another server fetch results until its {@link #end}. */
    void share(SharedResults with) {
        shared = shared.isEmpty() ? new ArrayList<>(1) : shared;
        shared.add(with);
    }

    /** The results as other servers fetch them, each under its key; empty if none may. */
    List<SharedResults> shared() {
        return shared;
    }

    /** The number by which is asked whether a call has ended with a result, in the place of that result. */
    static int endOf(int call) {
        return ~call;
    }

    /** The call whose turn it was has ended with a result, and its caller had not given it up. */
    void hasSucceeded() {
        succeeded++;
    }

    /** Whether a call may still have a result: it runs, waits, or has not come. */
    @Override
    public boolean mayHaveResult(int wanted) {
        if (wanted < 0 && !open) {
            return false; // its caller has given it up, or it has failed
        }
        int call = wanted < 0 ? endOf(wanted) : wanted;
        return current != null && current.turn().place() == call
                || waiting.stream().anyMatch(each -> each.turn().place() == call)
                || open && call >= arrived;
    }

    @Nullable
    Invocation current() {
        return current;
    }

    /** Whether a later call may be given the result of an earlier one. */
    boolean keepsResults() {
        return lane.keepsResults();
    }

    /** Numbers a call that has come. */
    int number() {
        return arrived++;
    }

    /** Keeps a result; returns how many bytes are kept more than before. */
    long keep(int call, WrittenValue result) {
        results.put(call, result);
        long grown = result.size();
        if (results.size() > MOST_RESULTS) {
            Iterator<WrittenValue> oldest = results.values().iterator();
            grown -= oldest.next().size();
            oldest.remove();
        }
        return grown;
    }

    /** Keeps a result until it has been a number of arguments of calls of this lane, or the lane ends; false if it is not kept. */
    boolean pin(int call, int uses) {
        WrittenValue result = pinned.size() >= MOST_RESULTS ? null : results.remove(call);
        if (result != null) {
            pinned.put(call, new Pinned(result, uses));
        }
        return result != null;
    }

    /** A call of this lane has been executed with a result; returns how many bytes need not be kept any more. */
    long used(int call) {
        Pinned now = pinned.get(call);
        if (now == null) {
            return 0;
        }
        if (now.uses() > 1) {
            pinned.put(call, new Pinned(now.value(), now.uses() - 1));
            return 0;
        }
        pinned.remove(call);
        return now.value().size();
    }

    /** The result of a call, null if it is not kept; an empty value if {@link #endOf} it is asked for, and it has succeeded. */
    @Override
    public @Nullable WrittenValue result(int call) {
        if (call < 0) {
            return endOf(call) < succeeded ? WrittenValue.NOTHING : null;
        }
        WrittenValue result = results.get(call);
        Pinned only = pinned.get(call);
        return only != null ? only.value() : result;
    }

    /** How many results are kept. */
    int results() {
        return results.size() + pinned.size();
    }

    /** Drops all results; returns how many bytes they had. */
    long forgetResults() {
        long bytes = results.values().stream().mapToLong(WrittenValue::size).sum()
                + pinned.values().stream()
                        .mapToLong(each -> each.value().size())
                        .sum();
        results.clear();
        pinned.clear();
        return bytes;
    }

    /** Gives a call its turn at once if no other call has it. */
    boolean begins(Invocation call) {
        if (current != null) {
            return false;
        }
        current = call;
        return true;
    }

    void add(Invocation call) {
        waiting.add(call);
    }

    /** Ends the turn of the current call; returns the call whose turn it is now. */
    @Nullable
    Invocation next() {
        current = waiting.poll();
        return current;
    }

    /** Takes out calls that wait. */
    List<Invocation> take(Predicate<Invocation> which) {
        List<Invocation> taken = new ArrayList<>();
        waiting.removeIf(call -> which.test(call) && taken.add(call));
        return taken;
    }

    /** Takes out all calls behind the first of some calls. */
    List<Invocation> takeBehind(Predicate<Invocation> which) {
        List<Invocation> behind = new ArrayList<>();
        boolean found = current != null && which.test(current);
        for (Invocation call : waiting) {
            if (found) {
                behind.add(call);
            }
            found |= which.test(call);
        }
        waiting.removeAll(behind);
        return behind;
    }
}
