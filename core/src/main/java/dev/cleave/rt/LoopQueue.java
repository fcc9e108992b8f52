package dev.cleave.rt;

import dev.cleave.call.Chain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a loop has sent ahead and not yet reached, in program order: a ring of sent calls, each with its place
 * in the body and its iteration.
 *
 * <p>Calls whose arguments need results of other calls of the same iteration are sent by a further <em>stage</em>,
 * which has a queue of its own {@linkplain #behind behind} that of the earlier stage: it follows as the results arrive,
 * and looks at a result without taking it. The window bounds the calls in flight in all stages together.
 *
 * <p>The loop of the program stays as it is. In front of each of its iterations a copy of the slice runs some
 * iterations ahead and {@linkplain #put puts} the calls that it sends; at the place of the call the program
 * {@linkplain #take takes} the sent call. While calls wait here, more are sent only if there is room for their bytes.
 * Running ahead ends for good at the first declined send, at an exception of the copy, and at the end of the loop; the
 * program then makes its calls as written. The ring grows with the window, never with the number of iterations.
 * Confined to one thread.
 */
public final class LoopQueue {

    /** How far an iteration that sends nothing may run ahead, in windows. */
    private static final int IDLE_WINDOWS = 16;

    private static final int LEAST_CAPACITY = 4;

    /** A stage waits for one more result for at most this part of the time that a result has taken. */
    private static final int LINGER_OF = 4;

    private final LoopSite loop;
    private final Window window;
    private final int sends;
    private @Nullable SentCall[] calls = new SentCall[LEAST_CAPACITY];
    private int head;
    private int size;
    private long sent;
    private long begun = -1;
    private long firstSentAt;
    private long blockedNanos;
    private boolean finished;
    private int done; // calls from the head on that are known to have ended
    private boolean leavesOut;
    private boolean countsElements;
    private @Nullable LoopQueue earlier;
    private @Nullable LoopQueue later;
    private @Nullable SentCall seen;
    private @Nullable Chain chain;
    private @Nullable Set<Object> changed; // arrays that awaits of calls in flight change; one for all stages
    private List<Object> changedNext = List.of(); // those of the call that is sent next
    private final Doors doors = new Doors();
    private boolean quiet;
    private long lastQuiet = -2;
    private long lastLatency; // of the last call that this stage has waited for, in nanoseconds
    private @Nullable Site lastSite;
    private Map<String, Integer> bounds = Bounds.known();

    LoopQueue(LoopSite loop, Window window, int sends) {
        this.loop = loop;
        this.window = window;
        this.sends = sends;
    }

    /** Creates the queue of the next stage, which follows the stage of another queue. */
    static LoopQueue behind(LoopQueue earlier, int sends) {
        LoopQueue queue = new LoopQueue(earlier.loop, earlier.window, sends);
        queue.earlier = earlier;
        earlier.later = queue;
        return queue;
    }

    /**
     * Creates the queue of the next stage of a stream, in which one element of the earlier stage may become any number:
     * it counts its own elements, and the stream knows when their results have arrived.
     */
    static LoopQueue ofElements(LoopQueue earlier) {
        LoopQueue queue = behind(earlier, 1);
        queue.countsElements = true;
        return queue;
    }

    /** Notes that the program may skip calls that were sent, also without an exception. */
    void leaveOut() {
        leavesOut = true;
    }

    /** Sends nothing ahead before a helper of another class may be asked. */
    void waitFor(HelperDoor door) {
        doors.add(door);
    }

    /** Whether the current pass ahead sends nothing and only keeps up with the program. */
    boolean isQuiet() {
        return quiet;
    }

    /** Whether running ahead has not come further than the program, or has ended. */
    boolean isBehind() {
        return finished || sent <= begun;
    }

    boolean hasRoom() {
        if (finished) {
            return false;
        }
        quiet = doors.areShut();
        if (quiet) {
            finished = doors.isTooLong();
            return !finished && sent <= begun;
        }
        if (lastQuiet >= begun) {
            return false; // the program makes the calls of this iteration as written, before any other is sent
        }
        if (earlier != null) {
            return sent <= begun
                    || (countsElements ? isOpen(earlier) : follows(earlier) || lingers(earlier) && follows(earlier))
                            && fits();
        }
        boolean isFull =
                size > 0 && (size + sends > window.size() || later != null && inFlight() + sends > window.size());
        return !isFull && sent - begun <= (long) IDLE_WINDOWS * window.size() && mayChain() && fits();
    }

    /** Whether there is room for the bytes of one more iteration. */
    private boolean fits() {
        return size == 0
                || (size < Window.NARROW || loop.wide().haveRoom(sends))
                        && at(size - 1).mayBeFollowedBy(sends);
    }

    /** Returns the chain of the sent calls, for chained calls. */
    Chain chain() {
        Chain known = chain;
        if (known == null) {
            known = Chain.stopping();
            chain = known;
        }
        return known;
    }

    /** Returns the chain of the sent calls, if some need results of others. */
    Chain dependentChain() {
        if (chain == null) {
            chain = Chain.dependent();
        }
        return chain;
    }

    /**
     * Says whether calls may join the chain: a broken chain is kept until its calls have been taken, and then a new one
     * begins.
     */
    private boolean mayChain() {
        if (chain == null || !chain.isBroken()) {
            return true;
        }
        if (size > 0) {
            return false;
        }
        chain.renew();
        return true;
    }

    /** Whether there is room for one more element, and those ahead are not too many. */
    private boolean isOpen(LoopQueue before) {
        LoopQueue first = before;
        for (LoopQueue stage = before; stage != null; stage = stage.earlier) {
            first = stage;
        }
        return size + sends <= window.size()
                && first.inFlight() + sends <= window.size()
                && sent - begun <= (long) IDLE_WINDOWS * window.size();
    }

    /** Whether all results that the next iteration may need have arrived, and there is room for its calls. */
    private boolean follows(LoopQueue before) {
        if (before.sent <= sent || size + sends > window.size()) {
            return false;
        }
        LoopQueue first = before;
        for (LoopQueue stage = before; stage != null; stage = stage.earlier) {
            int end = stage.countBefore(sent + 1);
            for (int i = stage.countBefore(sent); i < end; i++) {
                if (!stage.at(i).isDone()) {
                    return false;
                }
            }
            first = stage;
        }
        return first.inFlight() + sends <= window.size();
    }

    /**
     * Waits a little for a result that the next iteration needs, while the program's own iteration has a call of this stage in flight, for
     * which the program, or the stage behind, waits next: results of calls that were sent together arrive soon after one another, and what
     * needs them is then sent a round trip earlier. No deadline begins by this wait.
     *
     * @return whether the result has arrived
     */
    private boolean lingers(LoopQueue before) {
        SentCall mine = inFlightFor(begun);
        if (mine == null || before.sent <= sent || size + sends > window.size()) {
            return false;
        }
        for (LoopQueue stage = before; stage != null; stage = stage.earlier) {
            int end = stage.countBefore(sent + 1);
            for (int i = stage.countBefore(sent); i < end; i++) {
                SentCall needed = stage.at(i);
                if (!needed.isDone()) {
                    return needed.linger(mine, lastLatency / LINGER_OF);
                }
            }
        }
        return false;
    }

    /** Returns the first call of this stage for an iteration; null if there is none, or it has ended. */
    private @Nullable SentCall inFlightFor(long iteration) {
        int first = countBefore(iteration);
        SentCall call = first < countBefore(iteration + 1) ? at(first) : null;
        return call == null || call.isDone() ? null : call;
    }

    /**
     * The number of calls in flight in this stage and later ones, including calls that have ended before earlier ones
     * of their stage.
     */
    private int inFlight() {
        while (done < size && at(done).isDone()) {
            done++;
        }
        return size - done + (later == null ? 0 : later.inFlight());
    }

    /** The number of calls in the queue that belong to earlier iterations. */
    private int countBefore(long iteration) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).iteration() < iteration) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private SentCall at(int place) {
        SentCall call = calls[(head + place) & (calls.length - 1)];
        if (call == null) {
            throw new AssertionError("empty place " + place + " of " + size);
        }
        return call;
    }

    /**
     * Looks at the result of an earlier stage for the current iteration of this stage, and waits for it if it has not
     * arrived. False if that call failed, or was not sent; in the latter case this stage ends.
     */
    boolean look(int site) {
        for (LoopQueue stage = earlier; stage != null; stage = stage.earlier) {
            int end = stage.countBefore(sent + 1);
            for (int i = stage.countBefore(sent); i < end; i++) {
                SentCall call = stage.at(i);
                if (call.isOf(sent, site)) {
                    seen = call;
                    boolean waits = !call.isDone();
                    boolean succeeds = call.succeeds();
                    if (waits) {
                        lastLatency = System.nanoTime() - call.sentAt();
                    }
                    return succeeds;
                }
            }
        }
        finished = true;
        return false;
    }

    /** The call that {@link #look} looked at last. */
    SentCall seen() {
        if (seen == null) {
            throw new IllegalStateException("no call was looked at");
        }
        return seen;
    }

    /**
     * Whether the await of the call that is sent next may change an array. If a call in flight changes it, too, the next one would have
     * to be sent with what that has changed.
     */
    boolean mayChange(@Nullable Object array) {
        if (array == null) {
            return true;
        }
        LoopQueue first = this;
        while (first.earlier != null) {
            first = first.earlier;
        }
        Set<Object> known = first.changed;
        if (known == null) {
            known = Collections.newSetFromMap(new IdentityHashMap<>());
            first.changed = known;
        }
        changed = known;
        if (!known.add(array)) {
            return false;
        }
        if (changedNext.isEmpty()) {
            changedNext = new ArrayList<>(1);
        }
        changedNext.add(array);
        return true;
    }

    private void changesNoMore(List<Object> arrays) {
        Set<Object> known = changed;
        if (known != null) {
            arrays.forEach(known::remove);
        }
    }

    boolean put(@Nullable SentCall call, int site) {
        List<Object> changes = changedNext;
        changedNext = List.of();
        if (call == null) {
            changesNoMore(changes);
            finish();
            return false;
        }
        call.changes(changes);
        if (firstSentAt == 0) {
            firstSentAt = call.sentAt();
        }
        if (size == calls.length) {
            grow();
        }
        if (call.site() != lastSite || Bounds.known() != bounds) {
            lastSite = call.site();
            bounds = Bounds.known();
            loop.sends(lastSite.call());
            window.bindTo(loop.bound());
        }
        call.belongsTo(this, sent, site);
        calls[(head + size) & (calls.length - 1)] = call;
        if (size++ >= Window.NARROW) {
            loop.wide().add();
        }
        return true;
    }

    void ahead() {
        if (quiet) {
            lastQuiet = sent;
        }
        sent++;
    }

    void finish() {
        finished = true;
        if (chain != null) {
            chain.end();
        }
    }

    void begin() {
        begun++;
        if (leavesOut && size > 0 && at(0).iteration() < begun) {
            giveUp(countBefore(begun));
        }
    }

    @Nullable
    SentCall take(int site) {
        if (leavesOut) {
            passOver(site);
        }
        return isNext(site) ? remove() : null;
    }

    /** Discards calls that the program has skipped on its way to a call. */
    private void passOver(int site) {
        int end = countBefore(begun + 1);
        int before = 0;
        while (before < end && !at(before).isOf(begun, site)) {
            before++;
        }
        if (before < end) {
            giveUp(before);
        }
    }

    void skip(int site) {
        int those = 0;
        while (those < size && at(those).isOf(begun, site)) {
            those++;
        }
        giveUp(those);
    }

    void close() {
        finish();
        for (LoopQueue stage = later; stage != null; stage = stage.later) {
            stage.finish();
        }
        withdrawStages();
        giveUp(size);
    }

    /** The program has the result of a call of this queue; after the last one the window learns how long the loop took. */
    void ended(long now) {
        boolean isLast = finished && size == 0 && earlier == null && later == null;
        if (isLast && window.ended(now - firstSentAt)) {
            loop.shrunk(window);
        }
    }

    /** Grows the window, because the program had to wait for a call of this queue. */
    void waited(long fromNanos, long toNanos) {
        long worked = fromNanos - firstSentAt - blockedNanos;
        blockedNanos += toNanos - fromNanos;
        if (!finished) {
            if (window.waited(toNanos - fromNanos, worked / (begun + 1), toNanos)) {
                loop.shrunk(window);
            } else {
                loop.grown(window);
            }
        }
    }

    /** Shrinks the window, because a server had no room for a call of this queue. */
    void refused(long sentAt, long now) {
        window.refused(sentAt, now);
        loop.shrunk(window);
    }

    int capacity() {
        return calls.length;
    }

    private boolean isNext(int site) {
        return size > 0 && at(0).isOf(begun, site);
    }

    /** Withdraws the calls of all stages when the loop is left; those of the last stage first. */
    private void withdrawStages() {
        if (later != null) {
            later.withdrawStages();
        }
        withdraw(size);
    }

    /**
     * Asks the servers not to begin the first calls, the one sent last first, before the program waits for any of them.
     */
    private void withdraw(int first) {
        for (int i = first - 1; i >= 0; i--) {
            at(i).withdrawn();
        }
    }

    /** Discards the first calls. */
    private void giveUp(int first) {
        withdraw(first);
        for (int i = 0; i < first; i++) {
            remove().discard();
            loop.overshot();
        }
    }

    private SentCall remove() {
        SentCall call = at(0);
        calls[head] = null;
        head = (head + 1) & (calls.length - 1);
        if (--size >= Window.NARROW) {
            loop.wide().remove();
        }
        window.taken();
        done = Math.max(0, done - 1);
        changesNoMore(call.changes()); // nothing is sent before its await
        call.taken();
        return call;
    }

    private void grow() {
        int length = calls.length;
        calls = Arrays.copyOf(calls, 2 * length);
        System.arraycopy(calls, 0, calls, length, head);
        Arrays.fill(calls, 0, head, null);
    }
}
