package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Hands calls over between a method and the helper that it calls (R63, R68); one for each thread.
 *
 * <p>A helper is a method that makes a remote call for its caller. Rewritten, it can be entered in two further ways,
 * which only rewritten callers use. <em>Asked</em>, it only runs a copy of its slice, sends its call, and answers with
 * the sent call. <em>Handed</em> a call that was sent before, it runs as written, and takes that call in place of
 * making one.
 *
 * <p>A helper whose calls are prefetched is asked and handed calls through the queue of the loop that runs ahead:
 * asked, it sends into the queue; else it claims from it. Its calls have positions of their own in that queue, from a
 * <em>base</em> on.
 *
 * <p>The caller names the helper right before it calls it, and the helper reads that before it does anything else, so a
 * call that is handed over belongs to exactly that activation. A caller whose helper was not entered clears
 * {@link #key} by writing the field: that cannot fail, as a call could when the stack is full.
 */
public final class Passage {

    /** The answer of a helper that decided not to call. */
    static final Object NOTHING = new Object();

    private static final Object ASKED = new Object();
    /** A function that was given to a method, and the nest that it takes from; null if it takes from none. */
    private record Given(
            String function,
            @Nullable Object nest,
            int first,
            @Nullable Object before) {}

    private static final ThreadLocal<Passage> CURRENT = ThreadLocal.withInitial(Passage::new);

    /** The helper that is about to be entered; null if none is. */
    public @Nullable String key;

    /**
     * The functions that were given to methods which have not returned, with their nests; null if there are none. Rewritten code
     * keeps it in front of such a call, and puts it back behind.
     */
    public @Nullable Object given;

    private @Nullable Object passed;
    private @Nullable Object answer;
    private boolean answered;
    private boolean asksAhead;
    private int base;

    private Passage() {}

    /** The passage of the calling thread. */
    public static Passage current() {
        return CURRENT.get();
    }

    /** Asks a helper, which this thread calls next, to send its call only. */
    public void ask(String helper) {
        discard(answer); // the answer of a helper that did not return
        answer = null;
        answered = false;
        passed = ASKED;
        asksAhead = false;
        key = helper;
    }

    /** Asks a helper, which this thread calls next, to prefetch into a queue only. */
    public void askAhead(String helper, PrefetchQueue queue, int first) {
        passed = queue;
        asksAhead = true;
        base = first;
        key = helper;
    }

    /** Called when the helper that was asked to prefetch has returned; false if running ahead is over. */
    public boolean askedAhead(PrefetchQueue queue) {
        boolean wasEntered = key == null;
        key = null;
        passed = null;
        return wasEntered && !queue.isFinished();
    }

    /** Hands a queue, or null, to a helper, which this thread calls next and which claims from the queue. */
    public void handAhead(String helper, @Nullable PrefetchQueue queue, int first) {
        if (queue != null) {
            passed = queue;
            asksAhead = false;
            base = first;
            key = helper;
        }
    }

    /**
     * The next thing that happens on this thread is a call of this helper, which is to take from a nest of strands, if
     * any.
     */
    public void handNest(String helper, @Nullable Object nest, int first) {
        if (nest != null) {
            passed = nest;
            asksAhead = false;
            base = first;
            key = helper;
        }
    }

    /**
     * The next thing that happens on this thread is a call of a method that is given this function. Until that method has returned
     * the function takes from a nest of strands, if any.
     */
    public void give(String function, @Nullable Object nest, int first) {
        if (nest != null || given != null) {
            given = new Given(function, nest, first, given);
        }
    }

    /** The same where something has been given already that hides what was given before. */
    public void giveAlso(String function, @Nullable Object nest, int first) {
        if (nest != null) {
            give(function, nest, first);
        }
    }

    /** The nest that a function takes from which has been entered, null if there is none. */
    private @Nullable Object nestOf(String function) {
        Object at = given;
        while (at instanceof Given each) {
            if (each.function.equals(function)) {
                base = each.first;
                return each.nest;
            }
            at = each.before;
        }
        return null;
    }

    /** Returns the answer of the asked helper: a sent call, {@link #NOTHING} for no call, or null if it declined. */
    public @Nullable Object asked() {
        Object sent = key == null ? answer : null;
        key = null;
        answer = null;
        return sent;
    }

    /** Hands a sent call, or null, to a helper, which this thread calls next and which takes the call. */
    public void hand(String helper, @Nullable Object sent) {
        boolean isCall = sent != null && sent != NOTHING;
        passed = isCall ? sent : null;
        asksAhead = false;
        key = isCall ? helper : null;
    }

    /** Called when the helper has returned; if it was never entered, discards the call that was handed over. */
    public void handed() {
        String missed = key;
        key = null;
        drop(missed);
    }

    /** Discards the call that was handed to a helper that was not entered. */
    public void drop(@Nullable String missed) {
        Object sent = passed;
        passed = null;
        if (missed != null) {
            discard(sent);
        }
    }

    private static void discard(@Nullable Object sent) {
        if (sent instanceof SentCall call) {
            call.discard();
        }
    }

    /**
     * Enters a helper. Returns the call or queue that it was handed, a mark if it is only asked to send, or null if it
     * is called as written.
     */
    public @Nullable Object enter(String helper) {
        String expected = key;
        if (expected == null || !expected.equals(requireNonNull(helper, "helper"))) {
            return given == null ? null : nestOf(helper);
        }
        Object mine = passed;
        key = null;
        passed = null;
        return mine;
    }

    /** Whether the value that {@link #enter} gave asks the helper to send only. */
    public static boolean isAsked(@Nullable Object entered) {
        return entered == ASKED;
    }

    /** Whether the value that {@link #enter} gave last asks the helper to prefetch only. */
    public boolean isAskedAhead(@Nullable Object entered) {
        return asksAhead && entered instanceof PrefetchQueue;
    }

    /** The queue that {@link #enter} gave, null if it gave another value. */
    public static @Nullable PrefetchQueue queueOf(@Nullable Object entered) {
        return entered instanceof PrefetchQueue queue ? queue : null;
    }

    /** The sent call that {@link #enter} gave, null if it gave another value. */
    public static @Nullable Object sentOf(@Nullable Object entered) {
        return entered instanceof SentCall ? entered : null;
    }

    /**
     * The position in the queue, or the row in the nest, that {@link #enter} gave last of the first call of the helper.
     */
    public int base() {
        return base;
    }

    /** Answers with the call that the helper has sent, or null if it declined. */
    public void answer(@Nullable Object sent) {
        answer = sent;
        answered = true;
    }

    /** Answers with one of the calls that the helper has sent, in their order, or null if it declined. */
    public void answerPart(@Nullable Object sent, int part) {
        answered = true;
        if (sent instanceof SentCall call) {
            call.joins((SentCall) answer, part);
            answer = answer == null ? call : answer;
        }
    }

    /** Returns, of the calls that were handed over, the one for a call of the helper; null if it was not sent. */
    public static @Nullable Object takePart(@Nullable Object handed, int part) {
        return handed != null && ((SentCall) handed).isPart(part) ? handed : null;
    }

    /** Returns the remaining calls that were handed over when one of them, or none, has been taken. */
    public static @Nullable Object rest(@Nullable Object handed, @Nullable Object taken) {
        return taken == null ? handed : ((SentCall) taken).part();
    }

    /** Answers, unless the helper has answered before, that it makes no call this time. */
    public void answerNothing() {
        if (!answered) {
            answer(NOTHING);
        }
    }
}
