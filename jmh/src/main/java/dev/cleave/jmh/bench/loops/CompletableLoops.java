package dev.cleave.jmh.bench.loops;

import dev.cleave.Cleave;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The programs of {@link PendingLoops} with the JDK's futures. */
final class CompletableLoops implements LoopProgram {

    private static final int WINDOW = 64;

    @Override
    public long loop(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        Queue<CompletableFuture<Long>> window = new ArrayDeque<>(WINDOW);
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            if (window.size() == WINDOW) {
                sum += window.remove().get();
            }
            int item = i;
            window.add(Cleave.async(() -> work.work(item, micros)).toCompletableFuture());
        }
        while (!window.isEmpty()) {
            sum += window.remove().get();
        }
        return sum;
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
        Queue<CompletableFuture<Void>> window = new ArrayDeque<>(WINDOW);
        for (int i = 0; i < calls; i++) {
            if (window.size() == WINDOW) {
                window.remove().get();
            }
            int item = i;
            window.add(Cleave.async(() -> work.put(item, micros)).toCompletableFuture());
        }
        while (!window.isEmpty()) {
            window.remove().get();
        }
        return work.drain();
    }

    @Override
    public long pure(Work work, int calls, int micros) throws ExecutionException, InterruptedException {
        return new PendingLoops().pure(work, calls, micros);
    }
}
