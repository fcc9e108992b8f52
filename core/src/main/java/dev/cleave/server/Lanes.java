package dev.cleave.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.Link;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneShare;
import dev.cleave.wire.PendingArgument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a server: calls that run one at a time, in the order in which they came.
 *
 * <h2>Turns</h2>
 *
 * Only the call whose turn it is stands in a dispatcher's queue or runs; those behind it wait here, in no worker's way,
 * but count for the bound of the queue. When a call has been answered its successor runs on the same worker.
 *
 * <h2>Chains and groups</h2>
 *
 * The first call of a chain that is answered by anything but its result, or is cancelled, ends the chain: what is
 * behind it, here or on its way, is answered as not executed. A group ends so at the first call that was not executed:
 * its caller will send that one again, and what is behind it must not overtake it. Only the call that opens a chain or
 * group makes it known here, so a broken one is simply forgotten: a call in an unknown chain or group is not executed.
 * An unbroken one is known until {@link LaneEnd}, or until its caller is gone.
 *
 * <h2>Results as arguments</h2>
 *
 * In a lane that keeps results, a call may come without some of its arguments: they are results of calls before it,
 * which have been answered when it has its turn, so that no thread waits for them. The bytes of the answers are kept
 * until the lane is over, within bounds; a call whose argument is not kept is not executed, and its caller makes it
 * anew with the value.
 *
 * <p>Thread-safe.
 */
final class Lanes {

    /** The most lanes of one caller. */
    static final int MOST = 1024;

    /** The most bytes of results that are kept for all callers together: a quarter of the heap, or 64 MiB. */
    static final long MOST_KEPT = Math.max(64 << 20, Runtime.getRuntime().maxMemory() / 4);

    /** The most fetches of results of shared lanes that wait here, and the most of lanes that are not known yet. */
    static final int MOST_FETCHES = 4096;

    /** The most fetches of one peer that wait here. */
    static final int MOST_FETCHES_OF_ONE = 1024;

    /** The most fetches of one peer that wait here for lanes that are not known yet. */
    static final int MOST_UNKNOWN_OF_ONE = 256;

    static final String BEHIND = "not executed: a call before it in its chain or group was not, or failed";

    /**
     * The caller that lanes belong to.
     *
     * @param link over which its calls come
     * @param peer the relayed client, or 0
     */
    record Caller(Link link, int peer) {}

    @GuardedBy("this")
    private final Map<Caller, Map<Long, LaneQueue>> lanes = new HashMap<>();

    @GuardedBy("this")
    private long kept; // bytes of results

    @GuardedBy("this")
    private final Map<Key, SharedResults> shared = new HashMap<>();

    @GuardedBy("this")
    private final FetchCounts fetches = new FetchCounts(MOST_FETCHES, MOST_FETCHES_OF_ONE);

    @GuardedBy("this")
    private final FetchCounts unknown = new FetchCounts(MOST_FETCHES, MOST_UNKNOWN_OF_ONE); // of lanes not known yet

    @GuardedBy("this")
    private List<Answered> answered = new ArrayList<>(); // fetches, until the lock is free

    /**
     * The key that other servers show to fetch results of a lane.
     *
     * @param high upper half
     * @param low lower half
     */
    record Key(long high, long low) {}

    /** A fetch to be answered when the lock is free. */
    private record Answered(
            CompletableFuture<WrittenValue> fetch, @Nullable WrittenValue result) {}

    /** A call has come in a lane: gives it to its dispatcher, keeps it, or refuses it. On an event thread. */
    void arrive(Lane lane, Invocation call, int peer) {
        ErrorCode refusal = null;
        boolean begins = false;
        synchronized (this) {
            LaneQueue queue = find(lane, new Caller(call.link(), peer));
            if (queue == null || !queue.isOpen()) {
                refusal = lane.isSticky() && !lane.isFirst() ? ErrorCode.CANCELLED : ErrorCode.OVERLOAD;
            } else if (queue.begins(call)) {
                call.turn().enter(this, queue, queue.number());
                begins = true;
            } else {
                call.turn().enter(this, queue, queue.number()); // first: what has a place may be asked to give it up
                if (call.turn().takePlace()) {
                    queue.add(call);
                } else {
                    refusal = ErrorCode.OVERLOAD;
                    shut(queue);
                }
            }
        }
        if (begins) {
            call.turn().begins();
        } else if (refusal != null) {
            String why = refusal == ErrorCode.OVERLOAD ? "the queue of the server is full" : BEHIND;
            refuse(call, refusal, why);
            call.link().flush();
        }
    }

    /** Ends the chain of a call that the dispatcher or its gate refuses. */
    void refused(Lane lane, Link link, int peer) {
        synchronized (this) {
            Map<Long, LaneQueue> own = lanes.get(new Caller(link, peer));
            LaneQueue queue = own == null || !lane.isSticky() ? null : own.get(lane.id());
            if (queue != null) {
                shut(queue);
            }
        }
        answerFetches();
    }

    /**
     * A call that waits behind others is refused for want of room, with what is behind it; false if it does not wait
     * here.
     */
    boolean giveUp(LaneQueue queue, Invocation call, String why) {
        List<Invocation> behind;
        List<Invocation> taken;
        synchronized (this) {
            if (queue.current() == call) {
                return false;
            }
            behind = queue.takeBehind(c -> c == call);
            taken = queue.take(c -> c == call);
            shut(queue);
        }
        answer(taken, c -> refuse(c, ErrorCode.OVERLOAD, why));
        answer(behind, c -> refuse(c, ErrorCode.CANCELLED, BEHIND));
        return !taken.isEmpty();
    }

    /** No more calls come in a lane. */
    void end(Link link, LaneEnd end) {
        synchronized (this) {
            Map<Long, LaneQueue> own = lanes.get(new Caller(link, end.peer()));
            LaneQueue queue = own == null ? null : own.get(end.id());
            if (queue != null) {
                queue.end();
                shut(queue);
            }
        }
        answerFetches();
    }

    /** Whether a result of some bytes may be kept. */
    synchronized boolean hasRoom(long bytes) {
        return kept + bytes <= MOST_KEPT;
    }

    /** Keeps the result of a call for those that need it, if there is room and they may ask for it. */
    synchronized boolean keep(LaneQueue queue, int call, WrittenValue result) {
        boolean isKept = kept + result.size() <= MOST_KEPT && isKnown(queue);
        if (isKept) {
            kept += queue.keep(call, result);
        }
        return isKept;
    }

    /**
     * Keeps a result that is not sent to the caller until it has been a number of arguments, or its lane ends; false if it
     * is not kept, and must be sent.
     */
    synchronized boolean pin(LaneQueue queue, int call, int uses) {
        return !queue.hasEnded() && queue.pin(call, uses);
    }

    /**
     * Results that a call needs, null if not all are kept.
     *
     * @param fetched those of other servers
     */
    synchronized @Nullable List<WrittenValue> results(
            LaneQueue queue, List<PendingArgument> wanted, @Nullable FetchedResults fetched) {
        List<WrittenValue> results = new ArrayList<>();
        for (PendingArgument each : wanted) {
            WrittenValue result =
                    each.lane() == 0 ? queue.result(each.call()) : fetched == null ? null : fetched.result(each);
            if (result == null) {
                return null;
            }
            results.add(result);
        }
        return results;
    }

    /** Lets other servers that show a key fetch results of a lane. */
    void share(Link link, LaneShare said) {
        synchronized (this) {
            Map<Long, LaneQueue> own = lanes.get(new Caller(link, said.peer()));
            LaneQueue queue = own == null ? null : own.get(said.id());
            Key key = new Key(said.high(), said.low());
            if (queue == null || !queue.keepsResults()) {
                SharedResults waiting = shared.remove(key);
                if (waiting != null) {
                    answerAll(waiting);
                }
            } else if (queue.shared().size() < LaneShare.MOST) {
                SharedResults results = shared.computeIfAbsent(key, k -> new SharedResults());
                if (results.lane() == null) {
                    results.of(queue);
                    results.waiting().forEach(each -> {
                        unknown.end(each.by());
                        fetches.enter(each.by()); // it may be above the bound for a short time
                    });
                    queue.share(results);
                    answerKnown(queue);
                }
            }
        }
        answerFetches();
    }

    /**
     * The result of a call of a lane that is shared, or will be; fails if it is not, or the call has none. The fetch is
     * bounded by the time that its caller gives it. Peers with keys that they have invented take no room from others: where all
     * room is taken, the one that has the most gives up a fetch for one that has fewer.
     *
     * @param by the peer that fetches
     */
    CompletableFuture<WrittenValue> fetch(Key key, int call, Object by) {
        CompletableFuture<WrittenValue> fetch = new CompletableFuture<>();
        synchronized (this) {
            SharedResults known = shared.get(key);
            SharedResults.Owner queue = known == null ? null : known.lane();
            WrittenValue result = queue == null ? null : queue.result(call);
            FetchCounts counts = queue == null ? unknown : fetches;
            if (queue == null) {
                makeRoom(by);
            }
            boolean mayCome = counts.hasRoom(by) && (queue == null || queue.mayHaveResult(call));
            if (result != null || !mayCome) {
                answered.add(new Answered(fetch, result));
            } else {
                counts.enter(by);
                shared.computeIfAbsent(key, k -> new SharedResults()).add(call, new SharedResults.Fetch(fetch, by));
            }
        }
        answerFetches();
        return fetch;
    }

    @GuardedBy("this")
    private void makeRoom(Object by) {
        Object greedy = unknown.greediest(by);
        if (greedy == null) {
            return;
        }
        for (Iterator<SharedResults> all = shared.values().iterator(); all.hasNext(); ) {
            SharedResults each = all.next();
            SharedResults.Fetch given = each.lane() == null ? each.takeOneOf(greedy) : null;
            if (given != null) {
                unknown.end(greedy);
                answered.add(new Answered(given.future(), null));
                if (each.isEmpty()) {
                    all.remove();
                }
                return;
            }
        }
    }

    /** Whether a key is that of a lane of this server. */
    synchronized boolean has(Key key) {
        SharedResults known = shared.get(key);
        return known != null && known.lane() != null;
    }

    /** Gives a fetch up whose lane has not been shared in time. */
    void giveUpFetches(Key key) {
        synchronized (this) {
            SharedResults waiting = shared.get(key);
            if (waiting != null && waiting.lane() == null) {
                shared.remove(key);
                answerAll(waiting);
            }
        }
        answerFetches();
    }

    /** Collects the fetches of a lane that can be answered now. */
    @GuardedBy("this")
    private void answerKnown(LaneQueue queue) {
        for (SharedResults results : queue.shared()) {
            for (int call : results.calls()) {
                WrittenValue result = queue.result(call);
                if (result != null || !queue.mayHaveResult(call)) {
                    take(results, call, result);
                }
            }
        }
    }

    @GuardedBy("this")
    private void answerAll(SharedResults results) {
        results.calls().forEach(call -> take(results, call, null));
    }

    @GuardedBy("this")
    private void take(SharedResults results, int call, @Nullable WrittenValue result) {
        for (SharedResults.Fetch fetch : results.take(call)) {
            (results.lane() == null ? unknown : fetches).end(fetch.by());
            answered.add(new Answered(fetch.future(), result));
        }
    }

    /** Answers the fetches that can be answered; without the lock. */
    private void answerFetches() {
        List<Answered> answers;
        synchronized (this) {
            answers = answered;
            answered = answers.isEmpty() ? answers : new ArrayList<>();
        }
        for (Answered each : answers) {
            if (each.result() != null) {
                each.fetch().complete(each.result());
            } else {
                each.fetch().completeExceptionally(new IllegalStateException("the result is not kept"));
            }
        }
    }

    /** The call whose turn it was has been answered; returns the one whose turn it is now. */
    @Nullable
    Invocation ended(LaneQueue queue, Invocation call, Execution execution, boolean hasResult) {
        List<Invocation> broken = List.of();
        Invocation next = null;
        synchronized (this) {
            if (queue.current() != call) {
                return null;
            }
            if (hasResult && queue.isOpen() && queue.isChain()) {
                queue.hasSucceeded();
            }
            if (execution == Execution.EXECUTED) {
                for (PendingArgument each : call.turn().inserted()) {
                    kept -= each.lane() == 0 ? queue.used(each.call()) : 0;
                }
            }
            if (!queue.goesOnAfter(execution, hasResult)) {
                broken = queue.takeBehind(c -> c == call);
                queue.shut();
            }
            next = queue.next();
            answerKnown(queue);
            removeIfOver(queue);
        }
        if (!queue.shared().isEmpty()) {
            answerFetches();
        }
        broken.forEach(behind -> {
            behind.turn().leavePlace();
            refuse(behind, ErrorCode.CANCELLED, BEHIND);
        });
        if (next != null) {
            next.turn().leavePlace();
            if (queue.isChain()) {
                next.startClock();
            }
        }
        return next;
    }

    /** Gives up a call: refuses it if it waits, and the calls behind it in its chain even if it runs. */
    void refuse(Link link, int peer, long id, ErrorCode code, String why) {
        Predicate<Invocation> which = call -> call.id() == id;
        List<Invocation> cancelled = new ArrayList<>();
        List<Invocation> fetching = new ArrayList<>();
        List<Invocation> broken = new ArrayList<>();
        synchronized (this) {
            Map<Long, LaneQueue> own = lanes.get(new Caller(link, peer));
            if (own == null) {
                return;
            }
            for (LaneQueue queue : List.copyOf(own.values())) {
                Invocation current = queue.current();
                boolean isCurrent = current != null && which.test(current);
                if (current != null && isCurrent && !current.turn().hasFetched()) {
                    fetching.add(current);
                }
                if (queue.isSticky()) {
                    broken.addAll(queue.takeBehind(which));
                }
                List<Invocation> taken = queue.take(which);
                cancelled.addAll(taken);
                if (queue.isSticky() && (isCurrent || !taken.isEmpty())) {
                    shut(queue);
                }
            }
        }
        fetching.forEach(call -> refuse(call, code, why));
        answer(cancelled, call -> refuse(call, code, why));
        answer(broken, call -> refuse(call, ErrorCode.CANCELLED, BEHIND));
        link.flush();
    }

    /** Takes out waiting calls and runs {@code action} on each; calls behind one in its chain are refused. */
    void take(Predicate<Invocation> which, Consumer<Invocation> action) {
        List<Invocation> taken = new ArrayList<>();
        List<Invocation> broken = new ArrayList<>();
        synchronized (this) {
            for (Map<Long, LaneQueue> own : List.copyOf(lanes.values())) {
                for (LaneQueue queue : List.copyOf(own.values())) {
                    List<Invocation> behind = queue.isSticky() ? queue.takeBehind(which) : List.of();
                    List<Invocation> found = queue.take(which);
                    for (Invocation call : behind) {
                        (which.test(call) ? taken : broken).add(call);
                    }
                    taken.addAll(found);
                    if (queue.isSticky() && !(behind.isEmpty() && found.isEmpty())) {
                        shut(queue);
                    }
                }
            }
        }
        answer(taken, call -> {
            if (call.claim()) {
                action.accept(call);
            }
        });
        answer(broken, call -> refuse(call, ErrorCode.CANCELLED, BEHIND));
    }

    /** Forgets all lanes of a caller that is gone. */
    void gone(Link link, int peer) {
        drop(caller -> caller.link() == link && caller.peer() == peer);
    }

    /** Forgets all lanes of the callers of a link that is gone. */
    void gone(Link link) {
        drop(caller -> caller.link() == link);
    }

    /** How many results are kept, or waited for by other servers. */
    synchronized int results() {
        return fetches.size()
                + unknown.size()
                + shared.size()
                + lanes.values().stream()
                        .flatMap(own -> own.values().stream())
                        .mapToInt(LaneQueue::results)
                        .sum();
    }

    /** How many lanes are known. */
    synchronized int size() {
        return lanes.values().stream().mapToInt(Map::size).sum();
    }

    private void drop(Predicate<Caller> which) {
        List<Invocation> dropped = new ArrayList<>();
        synchronized (this) {
            List<LaneQueue> gone = new ArrayList<>();
            lanes.forEach((caller, own) -> gone.addAll(which.test(caller) ? own.values() : List.of()));
            for (LaneQueue queue : gone) {
                dropped.addAll(queue.take(call -> true));
                queue.end();
                shut(queue);
            }
        }
        answer(dropped, call -> {
            if (call.claim()) {
                call.drop();
            }
        });
    }

    private void answer(List<Invocation> calls, Consumer<Invocation> how) {
        answerFetches();
        for (Invocation call : calls) {
            call.turn().leavePlace();
            how.accept(call);
        }
    }

    private static void refuse(Invocation call, ErrorCode code, String why) {
        if (call.claim()) {
            call.refuse(code, why);
        }
    }

    @GuardedBy("this")
    private @Nullable LaneQueue find(Lane lane, Caller caller) {
        Map<Long, LaneQueue> own = lanes.computeIfAbsent(caller, c -> new HashMap<>());
        LaneQueue known = own.get(lane.id());
        if (known != null && !lane.isFirst()) {
            return known;
        }
        boolean opens = known == null && (lane.isFirst() || !lane.isSticky()) && own.size() < MOST;
        if (opens) {
            LaneQueue made = new LaneQueue(caller, lane);
            own.put(lane.id(), made);
            return made;
        }
        if (own.isEmpty()) {
            lanes.remove(caller);
        }
        return null;
    }

    @GuardedBy("this")
    private void shut(LaneQueue queue) {
        queue.shut();
        answerKnown(queue);
        removeIfOver(queue);
    }

    @GuardedBy("this")
    private void removeIfOver(LaneQueue queue) {
        Map<Long, LaneQueue> own = lanes.get(queue.caller());
        if (queue.isOver() && own != null && own.remove(queue.id(), queue)) {
            kept -= queue.forgetResults();
            if (!queue.shared().isEmpty()) {
                shared.values().removeAll(queue.shared());
                queue.shared().forEach(this::answerAll);
            }
            if (own.isEmpty()) {
                lanes.remove(queue.caller());
            }
        }
    }

    @GuardedBy("this")
    private boolean isKnown(LaneQueue queue) {
        Map<Long, LaneQueue> own = lanes.get(queue.caller());
        return own != null && own.get(queue.id()) == queue;
    }
}
