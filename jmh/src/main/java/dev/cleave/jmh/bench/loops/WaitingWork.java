package dev.cleave.jmh.bench.loops;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Waits the service time in the worker. */
public final class WaitingWork implements Work {

    private final LongAdder sum = new LongAdder();

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

    @Override
    public void put(int item, int micros) {
        sum.add(work(item, micros));
    }

    @Override
    public long drain() {
        return sum.sumThenReset();
    }

    @Override
    public long look(int item, int micros) {
        return work(item, micros);
    }
}
