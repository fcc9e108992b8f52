package dev.cleave.jmh.bench.programs;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A thread for each task. */
final class Threads implements AutoCloseable {

    private final ExecutorService executor;

    private Threads(ExecutorService executor) {
        this.executor = requireNonNull(executor, "executor");
    }

    /** Virtual threads, by name, since this class is compiled for JDK 17. */
    static Threads virtual() throws ReflectiveOperationException {
        return new Threads((ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
    }

    /** Threads of the system, for tests. */
    static Threads ofTheSystem() {
        return new Threads(Executors.newCachedThreadPool());
    }

    /** A task that runs in a thread of its own. */
    record Task<T extends @Nullable Object>(Future<T> future) {

        /** Waits for it. */
        T join() {
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    /** Starts a task in a thread of its own. */
    <T extends @Nullable Object> Task<T> start(Callable<T> task) {
        return new Task<>(executor.submit(task));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
