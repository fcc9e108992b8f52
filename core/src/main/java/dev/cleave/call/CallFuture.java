package dev.cleave.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call as a future: whoever waits for it first sends what is still buffered.
 *
 * <p>It is completed by a thread kept for that, not on the event thread: what depends on a future is user code, and may
 * wait.
 */
final class CallFuture extends CompletableFuture<@Nullable Object> {

    /** Threads come with demand and go when idle; not the common pool, which has no thread to spare on two cores. */
    private static final Executor COMPLETERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cleave-futures");
        thread.setDaemon(true);
        return thread;
    });

    private final Waiting call;

    CallFuture(Waiting call) {
        this.call = call;
    }

    /** Runs a task on one of the threads that complete futures; on this one if there can be none. */
    void completeBy(Runnable task) {
        try {
            COMPLETERS.execute(task);
        } catch (Throwable e) { // no memory for a thread: who waits for the future must not wait for ever
            task.run();
        }
    }

    @Override
    public @Nullable Object get() throws InterruptedException, ExecutionException {
        hurry();
        return super.get();
    }

    @Override
    public @Nullable Object get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        hurry();
        return super.get(timeout, unit);
    }

    @Override
    public @Nullable Object join() {
        hurry();
        return isDone() ? super.join() : Wait.lending(call, super::join);
    }

    private void hurry() {
        if (!isDone()) {
            call.waiting();
        }
    }
}
