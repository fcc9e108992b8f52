package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Hands calls over between a method and the helper that it calls (R63, R68); one for each thread.
 *
 * <p>A helper is a method that makes a remote call for its caller. Rewritten, it has two ways to be entered that nobody
 * but a rewritten caller takes. <em>Asked</em>, it only runs a copy of what decides about its call, sends it, and
 * answers with what was sent. <em>Handed</em> a call that was sent before, it runs as written, and takes that call
 * where it would call.
 *
 * <p>A helper whose calls are prefetched is asked, and handed over to, by way of the queue of the loop that runs ahead: asked,
 * it sends into the queue; else it claims from it. Its calls have positions of their own in that queue, from a
 * <em>base</em> on.
 *
 * <p>The caller names the helper right before it calls it, and the helper looks here before it does anything else, so
 * what is handed over belongs to exactly that activation. Whoever finds a helper not entered clears {@link #key} by
 * writing the field: that cannot fail, as a call could when the stack is full.
 */
public final class Passage {

    /** The answer of a helper that decided not to call. */
    static final Object NOTHING = new Object();

    private static final Object ASKED = new Object();
    private static final ThreadLocal<Passage> CURRENT = ThreadLocal.withInitial(Passage::new);

    /** The helper that is about to be entered; null if none is. */
    public @Nullable String key;

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

    /** The next thing that happens on this thread is a call of this helper, which is to send only. */
    public void ask(String helper) {
        Rt.discard(answer); // of a helper that did not return
        answer = null;
        answered = false;
        passed = ASKED;
        asksAhead = false;
        key = helper;
    }

    /** The next thing that happens on this thread is a call of this helper, which is to prefetch into a queue only. */
    public void askAhead(String helper, PrefetchQueue queue, int first) {
        passed = queue;
        asksAhead = true;
        base = first;
        key = helper;
    }

    /** The helper asked to prefetch has returned; false if running ahead is over. */
    public boolean askedAhead(PrefetchQueue queue) {
        boolean wasEntered = key == null;
        key = null;
        passed = null;
        return wasEntered && !queue.isFinished();
    }

    /** The next thing that happens on this thread is a call of this helper, which is to claim from a queue, if any. */
    public void handAhead(String helper, @Nullable PrefetchQueue queue, int first) {
        if (queue != null) {
            passed = queue;
            asksAhead = false;
            base = first;
            key = helper;
        }
    }

    /** The next thing that happens on this thread is a call of this helper, which is to take from a nest of strands, if any. */
    public void handNest(String helper, @Nullable Object nest, int first) {
        if (nest != null) {
            passed = nest;
            asksAhead = false;
            base = first;
            key = helper;
        }
    }

    /** What the helper asked has sent: a sent call, something that stands for no call, or null if it declined. */
    public @Nullable Object asked() {
        Object sent = key == null ? answer : null;
        key = null;
        answer = null;
        return sent;
    }

    /** The next thing that happens on this thread is a call of this helper, which is to take this call, if any. */
    public void hand(String helper, @Nullable Object sent) {
        boolean isCall = sent != null && sent != NOTHING;
        passed = isCall ? sent : null;
        asksAhead = false;
        key = isCall ? helper : null;
    }

    /** The helper has returned; if it was never entered, what was handed over is given up. */
    public void handed() {
        String missed = key;
        key = null;
        drop(missed);
    }

    /** Gives up what was handed over to a helper that was not entered. */
    public void drop(@Nullable String missed) {
        Object sent = passed;
        passed = null;
        if (missed != null) {
            Rt.discard(sent);
        }
    }

    /** A helper begins: what it was handed, the wish to send only, or null if it is called as by anybody. */
    public @Nullable Object enter(String helper) {
        String expected = key;
        if (expected == null || !expected.equals(requireNonNull(helper, "helper"))) {
            return null;
        }
        Object mine = passed;
        key = null;
        passed = null;
        return mine;
    }

    /** Whether what {@link #enter} gave is the wish to send only. */
    public static boolean isAsked(@Nullable Object entered) {
        return entered == ASKED;
    }

    /** Whether what {@link #enter} gave last is the wish to prefetch only. */
    public boolean isAskedAhead(@Nullable Object entered) {
        return asksAhead && entered instanceof PrefetchQueue;
    }

    /** The queue among what {@link #enter} gave, null if it gave something else. */
    public static @Nullable PrefetchQueue queueOf(@Nullable Object entered) {
        return entered instanceof PrefetchQueue queue ? queue : null;
    }

    /** The sent call among what {@link #enter} gave, null if it gave something else. */
    public static @Nullable Object sentOf(@Nullable Object entered) {
        return entered instanceof SentCall ? entered : null;
    }

    /** The position in the queue, or the row in the nest, that {@link #enter} gave last of the first call of the helper. */
    public int base() {
        return base;
    }

    /** The helper has sent its call, or has declined to. */
    public void answer(@Nullable Object sent) {
        answer = sent;
        answered = true;
    }

    /** The helper has sent one of its calls, in their order, or has declined to. */
    public void answerPart(@Nullable Object sent, int part) {
        answered = true;
        if (sent instanceof SentCall call) {
            call.joins((SentCall) answer, part);
            answer = answer == null ? call : answer;
        }
    }

    /** The call among those handed over that stands for one of the helper's calls, null if it was not sent. */
    public static @Nullable Object takePart(@Nullable Object handed, int part) {
        return handed != null && ((SentCall) handed).isPart(part) ? handed : null;
    }

    /** What is left of the calls handed over when one of them, or none, was taken. */
    public static @Nullable Object rest(@Nullable Object handed, @Nullable Object taken) {
        return taken == null ? handed : ((SentCall) taken).part();
    }

    /** The helper has found, if it did not answer before, that it makes no call this time. */
    public void answerNothing() {
        if (!answered) {
            answer(NOTHING);
        }
    }
}
