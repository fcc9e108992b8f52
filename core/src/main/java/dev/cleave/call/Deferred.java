package dev.cleave.call;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What has been written to a connection and not yet sent.
 *
 * <h2>Awaits</h2>
 *
 * Who awaits a call that is among it sends it. Who awaits one that has been sent before need not: while the server works on
 * others, a few more calls are better sent together with those that follow. Else a window of calls falls apart into one system
 * call for each. So they stay, unless they are half of all calls under way or the last were sent {@value #PAUSE_NANOS}
 * nanoseconds ago; calls that take longer than that are never held up.
 *
 * <h2>The first of a burst</h2>
 *
 * A call goes at once if no other is under way, unless the last such call was followed by more before any was awaited: then
 * this one waits for those that follow, too.
 *
 * <h2>What is said of a method</h2>
 *
 * Calls whose {@link dev.cleave.config.Aggregate} is said stay until as many bytes are there, or their time has come, or one of
 * them is awaited; unless others wait with them.
 *
 * <p>Thread-safe. What two threads do at the same time may make it send too early, or leave it to the link's timer.
 */
final class Deferred {

    static final int MOST = 64;
    static final int MOST_BYTES = 64 << 10;
    static final long PAUSE_NANOS = 50_000;

    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private volatile long oldest = Long.MAX_VALUE; // the number of a call
    private volatile long sentAt = System.nanoTime();
    private volatile boolean burst;
    private volatile boolean others; // some wait for which nothing is said

    /** A call has been written while others are under way, or not; says whether all must go now. */
    boolean mustGoWith(long id, int size, boolean alone) {
        others = true;
        if (alone && !burst) {
            return true;
        }
        if (!burst && count.get() > 0) {
            burst = true;
        }
        if (id < oldest) {
            oldest = id;
        }
        return isFull(size);
    }

    /** A call has been written of which is said how much may be gathered; says whether all must go now. */
    boolean mustGoWith(long id, int size, int most) {
        if (id < oldest) {
            oldest = id;
        }
        return isGathered(size, most);
    }

    /** Something has been written that nobody awaits, of which is said how much may be gathered. */
    boolean isGathered(int size, int most) {
        count.incrementAndGet();
        return bytes.addAndGet(size) >= most;
    }

    /** Something has been written that nobody awaits; says whether all must go now. */
    boolean isFull(int size) {
        others = true;
        return count.incrementAndGet() >= MOST || bytes.addAndGet(size) >= MOST_BYTES;
    }

    /** Says whether all must go now that a call is awaited. */
    boolean mustGoFor(long id, int underWay) {
        int waiting = count.get();
        if (waiting == 0) {
            return false;
        }
        if (waiting == 1 && underWay <= 1) {
            burst = false;
        }
        return id >= oldest || others && (2 * waiting >= underWay || System.nanoTime() - sentAt >= PAUSE_NANOS);
    }

    /** Says whether something has been waiting for a while; for a timer. */
    boolean isOverdue() {
        return others && count.get() > 0 && System.nanoTime() - sentAt >= PAUSE_NANOS;
    }

    boolean any() {
        return count.get() > 0;
    }

    /** All has been sent, or is about to be. */
    void sent() {
        if (count.get() > 0) {
            count.set(0);
            bytes.set(0);
            oldest = Long.MAX_VALUE;
            others = false;
            sentAt = System.nanoTime();
        }
    }
}
