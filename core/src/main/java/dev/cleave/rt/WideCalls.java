package dev.cleave.rt;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of this process that loops have in flight beyond the first {@value Window#NARROW} of each. Values of less
 * than {@link dev.cleave.stream.AheadRoom#LEAST} are counted nowhere else, so that many threads with wide windows could
 * fill the heap with them: all together take at most a 32nd of it. Thread-safe.
 */
final class WideCalls {

    /** The most bytes of one call that are not counted elsewhere: arguments, result, and the objects that hold them. */
    private static final int BYTES = 8 << 10;

    /** The calls of this process. */
    static final WideCalls OF_PROCESS = new WideCalls(most(Runtime.getRuntime().maxMemory()));

    private final int most;
    private final AtomicInteger calls = new AtomicInteger();

    WideCalls(int most) {
        this.most = most;
    }

    /** The number of calls that are allowed in a heap of a size in bytes. */
    static int most(long heap) {
        return (int) Math.min(Integer.MAX_VALUE / 2, heap / 32 / BYTES);
    }

    /** Whether there is room for more calls. Several threads may find the same room, and be over by as many calls. */
    boolean haveRoom(int more) {
        return calls.get() + more <= most;
    }

    void add() {
        calls.incrementAndGet();
    }

    void remove() {
        calls.decrementAndGet();
    }

    int count() {
        return calls.get();
    }
}
