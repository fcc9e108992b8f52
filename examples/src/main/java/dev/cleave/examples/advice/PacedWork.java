package dev.cleave.examples.advice;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for as long as each piece of work takes, so that no processor bounds how many run at the same time. */
public final class PacedWork implements Work {

    private final long smallNanos;
    private final long largeNanos;

    /**
     * Creates a server of a speed.
     *
     * @param options {@code small} and {@code large}: the microseconds that they take
     */
    public PacedWork(Map<String, String> options) {
        smallNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(options.getOrDefault("small", "0")));
        largeNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(options.getOrDefault("large", "0")));
    }

    @Override
    public long small(int number) {
        return taking(smallNanos, number * 31L);
    }

    @Override
    public long large(int number) {
        return taking(largeNanos, number * 37L);
    }

    static long taking(long nanos, long result) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }
        return result;
    }
}
