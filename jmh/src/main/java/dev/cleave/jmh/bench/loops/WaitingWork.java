package dev.cleave.jmh.bench.loops;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits the service time in the worker. */
public final class WaitingWork implements Work {

    @Override
    public long work(int item, int micros) {
        if (micros > 0) {
            long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        return result(item);
    }

    static long result(int item) {
        return 31L * item + 7;
    }
}
