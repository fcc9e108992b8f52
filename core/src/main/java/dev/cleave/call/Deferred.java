package dev.cleave.call;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the frames that were written to a connection and not yet flushed, and decides when to flush them.
 *
 * <h2>Awaits</h2>
 *
 * A thread that awaits a call whose frame is not flushed flushes it. A thread that awaits a call sent earlier need not
 * flush: while the server works on that call, the buffered frames are better sent together with those that follow.
 * Otherwise each call of a window costs a system call. So the frames stay buffered, unless they are half of all calls
 * under way or the last flush was {@value #PAUSE_NANOS} nanoseconds ago; calls that take longer than that are never
 * held up.
 *
 * <h2>The first of a burst</h2>
 *
 * A call is flushed at once if no other is under way, unless more calls followed the last such call before any was
 * awaited: then this one is buffered for those that follow, too.
 *
 * <h2>Methods with an aggregate</h2>
 *
 * Calls of a method with a {@link dev.cleave.config.Aggregate} stay buffered until its bytes are there, its delay has
 * passed, or one of them is awaited; other buffered frames make them go earlier.
 *
 * <p>Thread-safe. Two threads that act at the same time may flush too early, or leave the flush to the link's timer.
 */
final class Deferred {

    static final int MOST = 64;
    static final int MOST_BYTES = 64 << 10;
    static final long PAUSE_NANOS = 50_000;

    private static final long ONE = 1L << Integer.SIZE; // a frame, in the state

    private final AtomicLong state = new AtomicLong(); // the number of buffered frames, and their bytes in the low half
    private volatile long oldest = Long.MAX_VALUE; // lowest number of a call that is not flushed
    private volatile long sentAt = System.nanoTime();
    private volatile boolean burst;
    private volatile boolean others; // frames without an aggregate are buffered
    private volatile boolean held; // a thread has gone to wait, and they were not flushed for it
    private int seenCount; // at the last look of the timer; timer only, as the next
    private long seenSentAt;

    /** Counts the frame of a call, which may be alone under way; says whether all frames must be flushed now. */
    boolean mustGoWith(long id, int size, boolean alone) {
        if (alone && !burst) {
            others = true;
            return true;
        }
        if (!burst && any()) {
            burst = true;
        }
        if (id < oldest) {
            oldest = id;
        }
        if (held) {
            held = false; // the thread goes on
        }
        return isFull(size);
    }

    /**
     * Counts the frame of a call with an aggregate of {@code most} bytes; says whether all frames must be flushed now.
     */
    boolean mustGoWith(long id, int size, int most) {
        if (id < oldest) {
            oldest = id;
        }
        return isGathered(size, most);
    }

    /**
     * Counts a frame that no thread awaits, with an aggregate of {@code most} bytes; says whether that much is
     * buffered.
     */
    boolean isGathered(int size, int most) {
        return (int) state.addAndGet(ONE + size) >= most;
    }

    /** Counts a frame that no thread awaits; says whether all frames must be flushed now. */
    boolean isFull(int size) {
        if (!others) {
            others = true;
        }
        long now = state.addAndGet(ONE + size);
        return now >= MOST * ONE || (int) now >= MOST_BYTES;
    }

    /** Says whether all frames must be flushed because a thread awaits a call. */
    boolean mustGoFor(long id, int underWay) {
        int waiting = count();
        if (waiting == 0) {
            return false;
        }
        if (waiting == 1 && underWay <= 1) {
            burst = false;
        }
        boolean mustGo =
                id >= oldest || others && (2 * waiting >= underWay || System.nanoTime() - sentAt >= PAUSE_NANOS);
        held |= !mustGo;
        return mustGo;
    }

    /**
     * Says whether buffered frames must be flushed: they were buffered at the last look, too, or a thread waits, and the
     * last flush was {@link #PAUSE_NANOS} ago. While a thread goes on sending its frames go without that. For a timer, which looks
     * again and again.
     */
    boolean isOverdue() {
        boolean wereThere = seenCount > 0 && seenSentAt == sentAt;
        look();
        return mayBeOverdue() && (wereThere || held) && System.nanoTime() - seenSentAt >= PAUSE_NANOS;
    }

    /** Notes what is buffered. Only for the timer, or before it begins to look. */
    void look() {
        seenCount = count();
        seenSentAt = sentAt;
    }

    /** Says whether frames are buffered that will be overdue if no flush takes them. */
    boolean mayBeOverdue() {
        return others && any();
    }

    boolean any() {
        return state.get() != 0;
    }

    private int count() {
        return (int) (state.get() >>> Integer.SIZE);
    }

    /** Forgets the frames: they have been flushed, or are about to be. */
    void sent() {
        if (any()) {
            state.set(0);
            oldest = Long.MAX_VALUE;
            others = false;
            held = false;
            sentAt = System.nanoTime();
        }
    }
}
