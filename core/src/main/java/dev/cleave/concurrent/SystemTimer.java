package dev.cleave.concurrent;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The timer on {@link System#nanoTime} with a daemon thread of its own.
 *
 * <h2>Cheap deadlines</h2>
 *
 * A call schedules its deadline and nearly always cancels it. Both are one insertion and one removal in a sorted set;
 * neither wakes the thread, unless the new time is earlier than the one that the thread already sleeps for. Cancelling
 * does not wake it either: it finds nothing to do when it wakes, and sleeps again.
 *
 * <h2>Precision</h2>
 *
 * A thread wakes some 50 to 100 microseconds late. A {@linkplain #precise precise} timer wakes that much earlier and
 * spins for the rest.
 */
public final class SystemTimer implements Timer {

    private static final System.Logger LOG = System.getLogger(SystemTimer.class.getName());
    private static final long SPIN_NANOS = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final long spinNanos;
    private final Thread thread;

    @GuardedBy("lock")
    private final TreeSet<Entry> entries = new TreeSet<>();

    @GuardedBy("lock")
    private long scheduled;

    /** When the thread will look next; may be earlier than the first entry. */
    @GuardedBy("lock")
    private long wakeAt;

    @GuardedBy("lock")
    private boolean idle;

    @GuardedBy("lock")
    private boolean closed;

    private SystemTimer(String name, long spinNanos) {
        this.spinNanos = spinNanos;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts a timer for deadlines and leases. */
    public static SystemTimer create(String threadName) {
        return start(new SystemTimer(threadName, 0));
    }

    /** Starts a timer that is precise to some microseconds, at the price of spinning up to 0.1 ms before each task. */
    public static SystemTimer precise(String threadName) {
        return start(new SystemTimer(threadName, SPIN_NANOS));
    }

    private static SystemTimer start(SystemTimer timer) {
        timer.thread.start();
        return timer;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        return scheduleAt(nanos() + Math.max(0, delay.toNanos()), task);
    }

    @Override
    public Timeout scheduleAt(long atNanos, Runnable task) {
        requireNonNull(task, "task");
        lock.lock();
        try {
            Entry entry = new Entry(this, atNanos, scheduled++, task);
            if (!closed) {
                entries.add(entry);
                if (idle || atNanos - wakeAt < 0) {
                    earlier.signal();
                }
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Stops the thread; a task that runs comes to its end. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            earlier.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Entry entry = next();
        while (entry != null) {
            spinUntil(entry.atNanos);
            if (take(entry)) {
                runTask(entry.task);
            }
            entry = next();
        }
    }

    /** The first entry, nearly due, and still among the others; null at the end. */
    private @Nullable Entry next() {
        lock.lock();
        try {
            while (!closed) {
                long now = nanos();
                idle = entries.isEmpty();
                if (idle) {
                    earlier.awaitUninterruptibly();
                    continue;
                }
                Entry first = entries.first();
                wakeAt = first.atNanos;
                long wait = first.atNanos - spinNanos - now;
                if (wait <= 0) {
                    return first;
                }
                await(wait);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void await(long nanos) {
        try {
            long remaining = earlier.awaitNanos(nanos);
            assert remaining <= nanos;
        } catch (InterruptedException e) {
            // Nobody has a reason to interrupt this thread; the loop looks at the state again.
            LOG.log(Level.DEBUG, "timer thread interrupted", e);
        }
    }

    private void spinUntil(long atNanos) {
        while (atNanos - nanos() > 0) {
            Thread.onSpinWait();
        }
    }

    private boolean take(Entry entry) {
        lock.lock();
        try {
            return entries.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    private static void runTask(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            // The task is somebody else's; the others must still run.
            LOG.log(Level.WARNING, "timer task failed", e);
        }
    }

    private static final class Entry implements Timeout, Comparable<Entry> {

        private final SystemTimer timer;
        private final long atNanos;
        private final long sequence;
        private final Runnable task;

        private Entry(SystemTimer timer, long atNanos, long sequence, Runnable task) {
            this.timer = timer;
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.task = task;
        }

        @Override
        public boolean cancel() {
            return timer.take(this);
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.signum(atNanos - other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
