package dev.cleave.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The threads that run the calls of one dispatcher: as many at a time as there are slots.
 *
 * <h2>Lent slots</h2>
 *
 * A worker whose method waits for a call of its own lends its slot: another thread, a spare one if need be, runs calls
 * meanwhile. So services with one worker each may call one another in a circle. When what it waits for has come the
 * first one goes on at once, for it may hold locks that the others want; then more methods than there are slots run
 * until the next one ends. There are at most {@value #MOST_SPARE} spare threads; beyond that slots are not lent, and a
 * spare thread ends after {@value #SPARE_SECONDS} s without work.
 *
 * <h2>Leaders</h2>
 *
 * A worker without work may deliver the frames of connections instead of waiting ({@link dev.cleave.transport.Leading}). It
 * takes the calls that these frames bring without being woken. For other work it is recalled only if no thread waits.
 */
final class Workers {

    static final int MOST_SPARE = 512;
    static final int SPARE_SECONDS = 5;

    /** The most threads that are started before there is work for them, and kept when there is none. */
    static final int MOST_AT_START = 64;

    private static final System.Logger LOG = SafeLog.of(Workers.class);

    private final String name;
    private final int slots;
    private final int kept;
    private final Predicate<Worker> work;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();

    @GuardedBy("lock")
    private final Set<Worker> threads = new HashSet<>();

    @GuardedBy("lock")
    private final List<Worker> leaders = new ArrayList<>(); // that run no calls now

    @GuardedBy("lock")
    private long made;

    @GuardedBy("lock")
    private int idle;

    private final AtomicInteger running = new AtomicInteger(); // in slots; written under the lock

    private volatile int lent; // written under the lock

    private final AtomicLong wakes = new AtomicLong(); // counts what may have brought work

    private volatile boolean closed;

    /**
     * Creates threads that have not been started.
     *
     * @param work runs one call; false if there was none
     */
    Workers(String name, int slots, Predicate<Worker> work) {
        this.name = name;
        this.slots = slots;
        kept = Math.min(slots, MOST_AT_START);
        this.work = work;
    }

    /** Starts as many threads as there are slots, at most {@value #MOST_AT_START}; others start when they are needed. */
    void start() {
        lock.lock();
        try {
            for (int i = 0; i < kept; i++) {
                spawn();
            }
        } finally {
            lock.unlock();
        }
    }

    int slots() {
        return slots;
    }

    /** Returns how many methods run, those included that wait. */
    int running() {
        lock.lock();
        try {
            return running.get() + lent;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many threads have lent their slots. */
    int lent() {
        return lent;
    }

    boolean isClosed() {
        return closed;
    }

    /** Wakes a worker: there is work. */
    void wake() {
        wakes.incrementAndGet();
        callUpTo(1);
    }

    /**
     * There is work; whether a thread that runs a call now looks for it when that has ended. Such a thread counts
     * itself out before it looks at the count that this changes before it looks who runs: one of the two sees the
     * other. The same holds for a leader, if the current thread is one.
     */
    boolean isComingSoon() {
        wakes.incrementAndGet();
        return running.get() > 0 || leadsHere();
    }

    /** Whether the current thread is a leader, which looks for work when it has delivered the frames of a round. */
    boolean leadsHere() {
        return Thread.currentThread() instanceof Worker self && self.delivers(this);
    }

    /** Whether there may be work since a worker has last looked. */
    boolean mayHaveWork(Worker worker) {
        return worker.seen != wakes.get() || closed;
    }

    /** Lets threads begin to look for work, as far as there are slots and threads without. */
    void callUpTo(int count) {
        lock.lock();
        try {
            for (int i = 0; i < count; i++) {
                callSomebody();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread that runs a method waits from now on; false if its slot stays its own. */
    boolean lend() {
        lock.lock();
        try {
            if (lent >= MOST_SPARE) {
                return false;
            }
            lent++;
            running.decrementAndGet();
            wakes.incrementAndGet();
            callSomebody();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A thread that lent its slot goes on. */
    void reclaim() {
        lock.lock();
        try {
            lent--;
            running.incrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the threads, at work or not. */
    List<Worker> threads() {
        lock.lock();
        try {
            return List.copyOf(threads);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the threads; a method that runs is interrupted, and comes to its end. */
    void close() {
        List<Worker> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(threads);
            wake.signalAll();
        } finally {
            lock.unlock();
        }
        all.forEach(Thread::interrupt);
        all.forEach(Worker::recall);
    }

    /** The life of a thread. */
    void live(Worker self) {
        while (enter(self)) {
            self.looksAtClock();
            boolean found = true;
            try {
                while (found && goesOn(self)) {
                    found = work.test(self);
                    boolean unused = Thread.interrupted(); // that of a served method is none of the next one's business
                }
            } catch (Throwable e) { // an Error as well: the thread keeps its slot, and gives it back
                LOG.log(System.Logger.Level.ERROR, "a worker goes on after", e);
            } finally {
                leave(self, found);
            }
            if (!found && self.isToLead()) {
                lead(self);
            }
        }
        self.handBack();
    }

    private void lead(Worker self) {
        try {
            self.lead();
        } catch (Throwable e) { // an Error as well
            LOG.log(System.Logger.Level.ERROR, "a worker goes on after", e);
            self.handBack();
        }
    }

    /** Waits for a slot and for work; false if the thread is to end. */
    private boolean enter(Worker self) {
        lock.lock();
        try {
            boolean isSpare = false;
            leaders.remove(self);
            while (!closed) {
                if (running.get() < slots && self.seen != wakes.get()) {
                    running.incrementAndGet();
                    return true;
                }
                self.handBack();
                if (isSpare && threads.size() > kept + lent) {
                    threads.remove(self);
                    return false;
                }
                isSpare = awaitWake();
            }
            threads.remove(self);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if it has been long without work while there are more threads than slots. */
    @GuardedBy("lock")
    private boolean awaitWake() {
        idle++;
        try {
            if (threads.size() <= kept) {
                wake.await();
                return false;
            }
            return !wake.await(SPARE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) { // by a served method that has ended, or by close
            return false;
        } finally {
            idle--;
        }
    }

    /** Whether the thread may take another call: not if threads that had lent their slots have come back. */
    private boolean goesOn(Worker self) {
        self.seen = wakes.get();
        return running.get() <= slots && !closed;
    }

    private void leave(Worker self, boolean mayBeMore) {
        lock.lock();
        try {
            running.decrementAndGet();
            if (mayBeMore) {
                self.seen = -1;
                callSomebody();
            } else if (self.isToLead() && !closed) {
                leaders.add(self);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void callSomebody() {
        if (running.get() >= slots || closed) {
            return;
        }
        if (idle > 0) {
            wake.signal();
        } else if (threads.size() < slots + lent) {
            spawn();
        } else if (!leaders.isEmpty()) {
            leaders.get(0).recall();
        }
    }

    @GuardedBy("lock")
    private void spawn() {
        Worker worker = new Worker(this, "cleave-worker-" + name + "-" + ++made);
        worker.setDaemon(true);
        threads.add(worker);
        worker.start();
    }
}
