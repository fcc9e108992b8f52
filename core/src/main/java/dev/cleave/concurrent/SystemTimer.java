package dev.cleave.concurrent;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The timer on {@link System#nanoTime} with a daemon thread of its own.
 *
 * <h2>Cheap deadlines</h2>
 *
 * A call schedules its deadline and nearly always cancels it. So entries are not sorted before their time is near:
 * until then they are in the list of their {@linkplain Stretch stretch} of about 134 ms, where scheduling and
 * cancelling take constant time. Neither wakes the thread, unless the new time is earlier than the one that the thread
 * already sleeps for. Cancelling does not wake it either: the thread finds nothing to do when it wakes, and sleeps
 * again.
 *
 * <h2>Precision</h2>
 *
 * A thread wakes some 50 to 100 microseconds late. A {@linkplain #precise precise} timer wakes that much earlier and
 * spins for the rest.
 */
public final class SystemTimer implements Timer {

    private static final System.Logger LOG = SafeLog.of(SystemTimer.class);
    private static final long SPIN_NANOS = 100_000;
    private static final int STRETCH_BITS = 27; // of nanoseconds: 134 ms

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final long spinNanos;
    private final long begun = System.nanoTime();
    private final Thread thread;
    private final Stretch sorted = new Stretch(this, -1); // the stretch of entries that have been moved to the sorted set
    private final Stretch gone = new Stretch(this, -1); // the stretch of entries that have run or were cancelled

    /** The entries of the stretches that have begun, sorted by time. */
    @GuardedBy("lock")
    private final TreeSet<Entry> entries = new TreeSet<>();

    /** The stretches that have not begun, by their numbers. */
    @GuardedBy("lock")
    private final TreeMap<Long, Stretch> later = new TreeMap<>();

    /** The stretch to which an entry was added last; it is kept even when it is empty. */
    @GuardedBy("lock")
    private @Nullable Stretch last;

    /** The number of the last stretch that has begun. */
    @GuardedBy("lock")
    private long current = -1;

    @GuardedBy("lock")
    private int scheduled;

    /** When the thread wakes next; may be earlier than the first entry. */
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
            Entry entry = new Entry(gone, atNanos, scheduled++, task);
            if (!closed) {
                long lookAt = add(entry);
                if (idle || lookAt - wakeAt < 0) {
                    earlier.signal();
                }
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Stops the thread; a running task runs to its end. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            later.clear();
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

    /**
     * Waits for the first entry until it is nearly due, and returns it without removing it; null once the timer is
     * closed.
     */
    private @Nullable Entry next() {
        lock.lock();
        try {
            while (!closed) {
                long now = nanos();
                begin(now + spinNanos);
                idle = entries.isEmpty() && later.isEmpty();
                if (idle) {
                    earlier.awaitUninterruptibly();
                    continue;
                }
                Entry first = entries.isEmpty() ? null : entries.first();
                wakeAt = wakeAt(first);
                long wait = wakeAt - spinNanos - now;
                if (wait > 0) {
                    await(wait);
                } else if (first != null && first.atNanos == wakeAt) {
                    return first;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the time at which the thread must wake for the first entry, sorted or not. */
    @GuardedBy("lock")
    private long wakeAt(@Nullable Entry first) {
        long unsorted = later.isEmpty() ? Long.MAX_VALUE : later.firstEntry().getValue().earliest;
        return first != null && (later.isEmpty() || first.atNanos - unsorted <= 0) ? first.atNanos : unsorted;
    }

    /** Adds an entry, and returns the latest time at which the thread must wake for it. */
    @GuardedBy("lock")
    private long add(Entry entry) {
        long number = number(entry.atNanos);
        if (number <= current) {
            sort(entry);
            return entry.atNanos;
        }
        Stretch stretch = last;
        if (stretch == null || stretch.number != number) {
            leave(last);
            stretch = later.computeIfAbsent(number, n -> new Stretch(this, n));
            last = stretch;
        }
        stretch.add(entry);
        return entry.atNanos;
    }

    /** Sorts the entries of the stretches that have begun by the time {@code nanos}. */
    @GuardedBy("lock")
    private void begin(long nanos) {
        current = Math.max(current, number(nanos));
        while (!later.isEmpty() && later.firstEntry().getValue().earliest - nanos <= 0) {
            Stretch stretch = later.pollFirstEntry().getValue();
            if (stretch == last) {
                last = null;
            }
            for (Entry entry = stretch.poll(); entry != null; entry = stretch.poll()) {
                sort(entry);
            }
        }
    }

    @GuardedBy("lock")
    private void sort(Entry entry) {
        entries.add(entry);
        entry.stretch = sorted;
    }

    /** Removes a stretch if it is empty. */
    @GuardedBy("lock")
    private void leave(@Nullable Stretch stretch) {
        if (stretch != null && stretch.first == null) {
            later.remove(stretch.number);
        }
    }

    private long number(long atNanos) {
        return atNanos - begun >> STRETCH_BITS;
    }

    @GuardedBy("lock")
    private void await(long nanos) {
        try {
            long remaining = earlier.awaitNanos(nanos);
            assert remaining <= nanos;
        } catch (InterruptedException e) {
            // No code interrupts this thread on purpose; the loop checks the state again.
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
            Stretch stretch = entry.stretch;
            if (stretch == gone || closed) {
                return false;
            }
            if (stretch == sorted) {
                entries.remove(entry);
            } else {
                stretch.remove(entry);
                if (stretch != last) {
                    leave(stretch);
                }
            }
            entry.stretch = gone;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static void runTask(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // an Error as well: this thread carries the deadlines of all calls
            LOG.log(Level.WARNING, "timer task failed", e);
        }
    }

    /** An entry; it has 40 bytes, since each of a million calls has one. */
    private static final class Entry implements Timeout, Comparable<Entry> {

        private final long atNanos;
        private final int sequence;
        private final Runnable task;
        private Stretch
                stretch; // this and the next two fields are guarded by the timer's lock; every stretch of an entry belongs to one timer
        private @Nullable Entry before;
        private @Nullable Entry behind;

        private Entry(Stretch stretch, long atNanos, int sequence, Runnable task) {
            this.stretch = stretch;
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.task = task;
        }

        @Override
        public boolean cancel() {
            return stretch.timer.take(this);
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.signum(atNanos - other.atNanos);
            return byTime != 0 ? byTime : Integer.signum(sequence - other.sequence);
        }
    }

    /**
     * The entries of one future interval of time: a linked list that an entry leaves in constant time. Guarded by the
     * timer's lock.
     */
    private static final class Stretch {

        private final SystemTimer timer;
        private final long number;
        private @Nullable Entry first;
        private long earliest = Long.MAX_VALUE; // no entry is due earlier; the entry that was due then may have left

        private Stretch(SystemTimer timer, long number) {
            this.timer = timer;
            this.number = number;
        }

        private void add(Entry entry) {
            earliest = Math.min(earliest, entry.atNanos);
            Entry next = first;
            entry.stretch = this;
            entry.behind = next;
            if (next != null) {
                next.before = entry;
            }
            first = entry;
        }

        private void remove(Entry entry) {
            Entry left = entry.before;
            Entry right = entry.behind;
            if (left == null) {
                first = right;
            } else {
                left.behind = right;
            }
            if (right != null) {
                right.before = left;
            }
            entry.before = null;
            entry.behind = null;
        }

        private @Nullable Entry poll() {
            Entry entry = first;
            if (entry != null) {
                remove(entry);
            }
            return entry;
        }
    }
}
