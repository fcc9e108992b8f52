package dev.cleave.rt;

import dev.cleave.call.Chain;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a loop has sent ahead and not yet come to, in program order: a ring of sent calls, each with the place in the
 * body and the iteration that it belongs to.
 *
 * <p>The loop of the program stays as it is. In front of each of its iterations a copy of what decides about the calls
 * runs some iterations ahead and {@linkplain #put puts} what it sends; at the place of the call the program {@linkplain
 * #take takes} it. Running ahead ends for good at the first declined send, at an exception of the copy, and at the end
 * of the loop; the program then goes on by itself, with the calls as written. The ring grows with the window, never
 * with the number of iterations. Confined to one thread.
 */
public final class LoopQueue {

    /** How far an iteration that sends nothing may run ahead, in windows. */
    private static final int IDLE_WINDOWS = 16;

    private static final int LEAST_CAPACITY = 4;

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
    private @Nullable Chain chain;

    LoopQueue(LoopSite loop, Window window, int sends) {
        this.loop = loop;
        this.window = window;
        this.sends = sends;
    }

    boolean hasRoom() {
        return !finished
                && (size == 0 || size + sends <= window.size())
                && sent - begun <= (long) IDLE_WINDOWS * window.size()
                && mayChain();
    }

    /** The chain of the calls that are sent, if they are chained. */
    Chain chain() {
        Chain known = chain;
        if (known == null) {
            known = Chain.stopping();
            chain = known;
        }
        return known;
    }

    /** A chain that broke is left as it is until its calls have been taken; then a new one begins. */
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

    boolean put(@Nullable SentCall call, int site) {
        if (call == null) {
            finish();
            return false;
        }
        if (firstSentAt == 0) {
            firstSentAt = call.sentAt();
        }
        if (size == calls.length) {
            grow();
        }
        call.belongsTo(this, sent, site);
        calls[(head + size) & (calls.length - 1)] = call;
        size++;
        return true;
    }

    void ahead() {
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
    }

    @Nullable
    SentCall take(int site) {
        return isNext(site) ? remove() : null;
    }

    void skip(int site) {
        while (isNext(site)) {
            remove().discard();
            loop.overshot();
        }
    }

    void close() {
        finish();
        while (size > 0) {
            remove().discard();
            loop.overshot();
        }
    }

    /** The program had to wait for a call of this queue. */
    void waited(long fromNanos, long toNanos) {
        long worked = fromNanos - firstSentAt - blockedNanos;
        blockedNanos += toNanos - fromNanos;
        if (!finished) {
            window.waited(toNanos - fromNanos, worked / (begun + 1));
            loop.grown(window.size());
        }
    }

    int capacity() {
        return calls.length;
    }

    private boolean isNext(int site) {
        if (size == 0) {
            return false;
        }
        SentCall call = calls[head];
        return call != null && call.isOf(begun, site);
    }

    private SentCall remove() {
        SentCall call = calls[head];
        if (call == null) {
            throw new AssertionError("empty place " + head + " of " + size);
        }
        calls[head] = null;
        head = (head + 1) & (calls.length - 1);
        size--;
        return call;
    }

    private void grow() {
        int length = calls.length;
        calls = Arrays.copyOf(calls, 2 * length);
        System.arraycopy(calls, 0, calls, length, head);
        Arrays.fill(calls, 0, head, null);
    }
}
