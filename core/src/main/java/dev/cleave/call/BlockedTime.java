package dev.cleave.call;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long threads of this process have been blocked for remote calls: the time in which at least one was, however many were, and
 * the time from the first call to the end of the last wait. Thread-safe, without locks; a thread that does not block never comes here.
 */
public final class BlockedTime {

    /** The time of this process. */
    static final BlockedTime OF_PROCESS = new BlockedTime();

    private static final int COUNT_BITS = 20; // of the number of blocked threads, in the low bits of the state
    private static final long COUNT = (1L << COUNT_BITS) - 1;
    private static final int TICK_BITS = 6; // a tick is 64 ns: the other 44 bits hold 13 days

    private final AtomicLong state = new AtomicLong(); // blocked threads, and the tick at which the first of them began
    private final LongAdder ticks = new LongAdder();
    private volatile long firstAt; // nanoTime; 0 = no call yet
    private volatile long lastAt; // nanoTime; 0 = no wait has ended

    /** Creates one of a process without calls. */
    BlockedTime() {}

    /**
     * The times that are known at a moment.
     *
     * @param spanNanos from the first call to the end of the last wait; 0 if no thread has waited
     * @param blockedNanos of these, how long at least one thread was blocked
     */
    public record Figures(long spanNanos, long blockedNanos) {}

    /** Returns the figures of this process. */
    public static Figures figures() {
        return OF_PROCESS.now();
    }

    /** Notes that a call begins. */
    void called() {
        if (firstAt == 0) {
            called(System.nanoTime());
        }
    }

    /** The same, at a given time. */
    synchronized void called(long nanos) {
        if (firstAt == 0) {
            firstAt = nanos | 1;
        }
    }

    /** Notes that the current thread begins to wait. */
    void begins(long nanos) {
        long tick = nanos >>> TICK_BITS;
        long before = state.get();
        while (!state.compareAndSet(before, (before & COUNT) == 0 ? tick << COUNT_BITS | 1 : before + 1)) {
            before = state.get();
        }
    }

    /** Notes that the current thread, which has begun to wait, goes on. */
    void ends(long nanos) {
        long before = state.get();
        while (!state.compareAndSet(before, before - 1)) {
            before = state.get();
        }
        if ((before & COUNT) == 1) {
            long since = (nanos >>> TICK_BITS) - (before >>> COUNT_BITS) << COUNT_BITS >> COUNT_BITS;
            ticks.add(Math.max(0, since)); // less than none if the thread that began read its clock later
        }
        lastAt = nanos | 1;
    }

    /** The figures so far. */
    Figures now() {
        long first = firstAt;
        long last = lastAt;
        if (first == 0 || last == 0 || last - first <= 0) {
            return new Figures(0, 0);
        }
        return new Figures(last - first, Math.min(last - first, ticks.sum() << TICK_BITS));
    }
}
