package dev.cleave.jmh.bench.calls;

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
 * @param count how many calls to make
 */
record CallTurn(List<Contender.Caller> callers, ExecutorService threads, int count) {

    static final int MOST_CALLERS = 8;

    /** What a thread does. */
    interface Part {

        void run(Contender.Caller caller, int count) throws Exception;
    }

    /** What the thread of this turn calls through. */
    Contender.Caller caller() {
        return callers.get(0);
    }

    /** Divides the calls among all callers, and returns the seconds from the first call to the last answer. */
    double together(Part part) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> parts = new ArrayList<>();
        for (Contender.Caller caller : callers) {
            parts.add(threads.submit(() -> {
                start.await();
                part.run(caller, count / callers.size());
                return caller;
            }));
        }
        long begin = System.nanoTime();
        start.countDown();
        for (Future<?> each : parts) {
            each.get();
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
