package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.contender.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * One turn of a client.
 *
 * @param callers one for each thread that may call
 * @param threads where threads come from
 * @param effort how much to do
 */
record CallTurn(List<Contender.Caller> callers, ExecutorService threads, Effort effort) {

    static final int MOST_CALLERS = 64;

    /** The KiB of a MiB. */
    static final int MIB = 1 << 10;

    /** The caller of the thread of this turn. */
    Contender.Caller caller() {
        return callers.get(0);
    }

    /** The caller of a second thread. */
    Contender.Caller other() {
        return callers.get(1);
    }

    /** The time at which measuring ends. */
    long end() {
        return System.nanoTime() + effort.nanos();
    }

    /** The bytes of an array of some KiB, or less if the effort is small. */
    int bytes(int kibibytes) {
        return (kibibytes << 10) / effort.divisor();
    }

    /** The length of an array of doubles of some KiB, or less if the effort is small. */
    int doubles(int kibibytes) {
        return bytes(kibibytes) / Double.BYTES;
    }

    /** The part of one of several threads; returns the number of calls that it has made. */
    interface Part {

        long run(Contender.Caller caller, long end) throws Exception;
    }

    /** Lets several threads call until the time is over; returns calls a second, from the first call to the last answer. */
    double together(int count, Part part) throws Exception {
        CountDownLatch ready = new CountDownLatch(count);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Long>> parts = new ArrayList<>();
        for (Contender.Caller caller : callers.subList(0, count)) {
            parts.add(threads.submit(() -> {
                ready.countDown();
                start.await();
                return part.run(caller, end());
            }));
        }
        ready.await();
        long begin = System.nanoTime();
        start.countDown();
        long calls = 0;
        for (Future<Long> each : parts) {
            calls += each.get();
        }
        return calls / ((System.nanoTime() - begin) / 1e9);
    }
}
