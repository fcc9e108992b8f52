package dev.cleave.concurrent;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time, in the order given, on threads that it borrows from another executor.
 *
 * <p>Each task sees what the tasks before it have written. A task that throws is logged, and the next one runs. When
 * the other executor rejects work, this one rejects it too, and drops the tasks that have not begun.
 */
public final class SerialExecutor implements Executor {

    private static final System.Logger LOG = SafeLog.of(SerialExecutor.class);

    private final Executor threads;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean running;

    /** Creates an executor; stopping the threads remains the job of their owner. */
    public SerialExecutor(Executor threads) {
        this.threads = requireNonNull(threads, "threads");
    }

    @Override
    public void execute(Runnable task) {
        requireNonNull(task, "task");
        synchronized (lock) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            threads.execute(this::run);
        } catch (RejectedExecutionException e) {
            synchronized (lock) {
                tasks.clear();
                running = false;
            }
            throw e;
        } catch (Throwable e) { // no memory for a thread, for example: the next task that is added starts the waiting ones
            synchronized (lock) {
                tasks.remove(task);
                running = false;
            }
            throw e;
        }
    }

    private void run() {
        Runnable task = next();
        while (task != null) {
            runTask(task);
            task = next();
        }
    }

    private @Nullable Runnable next() {
        synchronized (lock) {
            Runnable task = tasks.poll();
            running = task != null;
            return task;
        }
    }

    private static void runTask(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // an Error as well: the tasks after this one must still run
            LOG.log(Level.WARNING, "task failed", e);
        }
    }
}
