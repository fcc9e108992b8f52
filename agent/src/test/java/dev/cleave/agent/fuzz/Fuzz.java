package dev.cleave.agent.fuzz;

import dev.cleave.Remote;
import dev.cleave.agent.transform.ClassRewriter;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Runs generated programs in both forms, some jobs side by side. Each job has classes of its own: the epochs of calls that
 * change something are those of a process.
 *
 * @param seed of the first program; the others have the seeds that follow
 * @param programs how many
 * @param jobs how many threads
 */
record Fuzz(long seed, int programs, int jobs) {

    /** How many programs are compiled together; their names come again in the next batch. */
    private static final int BATCH = 200;

    /** After so many divergences no more batches begin. */
    private static final int ENOUGH = 20;

    /** Runs them; {@code progress} is told of the sum after each batch, by the calling thread. */
    FuzzResult run(Consumer<FuzzResult> progress) {
        ExecutorService threads = Executors.newFixedThreadPool(jobs, task -> {
            Thread thread = new Thread(task, "fuzz");
            thread.setDaemon(true);
            return thread;
        });
        try {
            return run(threads, progress);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a job failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private FuzzResult run(ExecutorService threads, Consumer<FuzzResult> progress)
            throws ExecutionException, InterruptedException {
        BlockingQueue<BiFunction<Long, Integer, FuzzResult>> idle = new LinkedBlockingQueue<>();
        for (int i = 0; i < jobs; i++) {
            idle.add(isolated());
        }
        CompletionService<FuzzResult> results = new ExecutorCompletionService<>(threads);
        AtomicBoolean enough = new AtomicBoolean();
        int size = Math.max(1, Math.min(BATCH, programs / (2 * jobs)));
        int batches = 0;
        for (int first = 0; first < programs; first += size, batches++) {
            long firstSeed = seed + first;
            int count = Math.min(size, programs - first);
            results.submit(() -> {
                if (enough.get()) {
                    return FuzzResult.NONE;
                }
                BiFunction<Long, Integer, FuzzResult> batch = idle.take();
                try {
                    return batch.apply(firstSeed, count);
                } finally {
                    idle.add(batch);
                }
            });
        }
        FuzzResult sum = FuzzResult.NONE;
        for (int i = 0; i < batches; i++) {
            sum = sum.with(results.take().get());
            progress.accept(sum);
            enough.set(sum.divergences().size() >= ENOUGH);
        }
        return sum;
    }

    @SuppressWarnings("unchecked") // what FuzzBatch implements
    private static BiFunction<Long, Integer, FuzzResult> isolated() {
        ClassLoader loader =
                new IsolatedLoader((name, file) -> file, List.of(), Fuzz.class, Remote.class, ClassRewriter.class);
        try {
            return (BiFunction<Long, Integer, FuzzResult>) loader.loadClass(FuzzBatch.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
