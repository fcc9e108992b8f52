package dev.cleave.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call as a future. A thread that waits for it first flushes the buffered frame of the call; to cancel it cancels the call.
 *
 * <p>A thread of a pool of its own completes it, not the event thread: user code that depends on the future may block.
 */
final class CallFuture extends CompletableFuture<@Nullable Object> {

    /** The pool starts threads on demand and ends idle ones. The common pool has no thread to spare on two cores. */
    private static final Executor COMPLETERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cleave-futures");
        thread.setDaemon(true);
        return thread;
    });

    private final PendingCall call;

    CallFuture(PendingCall call) {
        this.call = call;
    }

    /** Runs a task on a thread of the pool; on the calling thread if no thread can be started. */
    void completeBy(Runnable task) {
        try {
            COMPLETERS.execute(task);
        } catch (Throwable e) { // no memory for a thread: the waiters of the future must not wait for ever
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

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancels = super.cancel(mayInterruptIfRunning);
        if (cancels) {
            boolean unused = call.cancel();
        }
        return cancels;
    }

    private void hurry() {
        if (!isDone()) {
            call.waiting();
        }
    }
}
