package dev.cleave.concurrent;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time, in the order given, on threads that it borrows from another executor.
 *
 * <p>Each task sees what the tasks before it have written. A task that throws is logged, and the next one runs. When
 * the other executor rejects work, this one rejects the task that needed the thread. Tasks that it has accepted from
 * other threads by then run all the same, on a thread of their own.
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
        } catch (Throwable e) { // the other executor has ended, or there is no memory for a thread
            if (withdrawn(task)) {
                runOthers();
            }
            throw e;
        }
    }

    /** Takes back a task that has no thread; returns true if other threads have given tasks since, which wait for it. */
    private boolean withdrawn(Runnable task) {
        synchronized (lock) {
            tasks.remove(task);
            running = !tasks.isEmpty();
            return running;
        }
    }

    /** Their owners were told that they run: the end of a connection, for example, whose handler frees its buffers. */
    private void runOthers() {
        Thread last = new Thread(this::run, "cleave-last-tasks");
        last.setDaemon(true);
        try {
            last.start();
        } catch (Throwable e) { // no memory for this thread either: the next task starts them
            synchronized (lock) {
                running = false;
            }
            LOG.log(Level.WARNING, "no thread for tasks that wait", e);
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
