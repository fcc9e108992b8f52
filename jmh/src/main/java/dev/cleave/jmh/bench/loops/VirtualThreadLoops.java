package dev.cleave.jmh.bench.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntToLongFunction;

/** A virtual thread for each call, 64 of them at a time. */
final class VirtualThreadLoops implements LoopProgram {

    private static final int WINDOW = 64;

    private final ExecutorService threads;

    VirtualThreadLoops() throws ReflectiveOperationException {
        // By name: this class is compiled for JDK 17.
        threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Override
    public long loop(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        return sum(calls, item -> work.work(item, micros));
    }

    @Override
    public long helper(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        return 2 * loop(work, calls, micros);
    }

    @Override
    public long stream(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        return loop(work, calls, micros);
    }

    @Override
    public long chained(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        sum(calls, item -> {
            work.put(item, micros);
            return 0;
        });
        return work.drain();
    }

    @Override
    public long pure(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        return sum(calls, item -> work.look(item, micros));
    }

    private long sum(int calls, IntToLongFunction call) throws ExecutionException, InterruptedException {
        Semaphore free = new Semaphore(WINDOW);
        List<Future<Long>> results = new ArrayList<>(calls);
        for (int i = 0; i < calls; i++) {
            int item = i;
            free.acquire();
            results.add(threads.submit(() -> {
                try {
                    return call.applyAsLong(item);
                } finally {
                    free.release();
                }
            }));
        }
        long sum = 0;
        for (Future<Long> result : results) {
            sum += result.get();
        }
        return sum;
    }
}
