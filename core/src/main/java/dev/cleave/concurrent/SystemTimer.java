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
 * A call schedules its deadline and nearly always cancels it. So entries are not sorted before their time is near: until then
 * they are in the list of their {@linkplain Stretch stretch} of about 134 ms, where both cost the same
 * however many there are. Neither wakes the thread, unless the new time is earlier than the one that the thread already
 * sleeps for. Cancelling does not wake it either: it finds nothing to do when it wakes, and sleeps again.
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
    private final Stretch sorted = new Stretch(this, -1); // where those are that are among the entries
    private final Stretch gone = new Stretch(this, -1); // where those are that do not wait any more

    /** Those of the stretches that have begun. */
    @GuardedBy("lock")
    private final TreeSet<Entry> entries = new TreeSet<>();

    /** By their numbers. */
    @GuardedBy("lock")
    private final TreeMap<Long, Stretch> later = new TreeMap<>();

    /** The one that was added to last, which stays also when it is empty. */
    @GuardedBy("lock")
    private @Nullable Stretch last;

    /** The number of the last stretch that has begun. */
    @GuardedBy("lock")
    private long current = -1;

    @GuardedBy("lock")
    private int scheduled;

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

    /** Stops the thread; a task that runs comes to its end. */
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

    /** The first entry, nearly due, and still among the others; null at the end. */
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

    /** The time of the first entry, sorted or not. */
    @GuardedBy("lock")
    private long wakeAt(@Nullable Entry first) {
        long unsorted = later.isEmpty() ? Long.MAX_VALUE : later.firstEntry().getValue().earliest;
        return first != null && (later.isEmpty() || first.atNanos - unsorted <= 0) ? first.atNanos : unsorted;
    }

    /** Adds an entry; returns when the thread has to look at the latest. */
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

    /** It is so late: sorts the entries of those stretches of which one is due. */
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

    /** Forgets a stretch that is empty. */
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

    /** Of 40 bytes: a million calls have one each. */
    private static final class Entry implements Timeout, Comparable<Entry> {

        private final long atNanos;
        private final int sequence;
        private final Runnable task;
        private Stretch
                stretch; // it and the next two: guarded by the timer's lock; all that it can be are of one timer
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

    /** The entries of a time that has not come: a list that each can leave by itself. Guarded by the timer's lock. */
    private static final class Stretch {

        private final SystemTimer timer;
        private final long number;
        private @Nullable Entry first;
        private long earliest = Long.MAX_VALUE; // none is due before; one that was may have left

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
