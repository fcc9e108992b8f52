package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.VirtualThreads;
import dev.cleave.transport.Leading;
import dev.cleave.transport.WaitCondition;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread drives a loop: its own thread, a thread that waits for a reply that the loop receives, or a
 * worker between two calls that the loop has received.
 *
 * <h2>Why</h2>
 *
 * A lone caller that leaves the socket to another thread pays for two changes of threads in each call. If it reads the socket
 * itself, it pays for none. With several callers it is the other way round: one thread reads and writes for all of them.
 *
 * <h2>Who</h2>
 *
 * A thread may drive when it waits, when {@value #LONE} waits in a row found no other thread waiting, and when it is no
 * virtual thread. Then the own thread rests: every {@value #NAP_NANOS} nanoseconds it checks whether another thread has
 * driven since, and takes the wheel if none has. So unexpected frames wait for at most two such naps. A thread that
 * gives the loop a task while no thread drives wakes the own thread. When a second thread waits, the first lets go of
 * the wheel, and the own thread takes it.
 *
 * <h2>Leaders</h2>
 *
 * A worker whose calls are short {@linkplain #lead leads}: it drives until a call has come, lets go of the wheel, runs the
 * call, and drives again. While it runs the call the loop is as between two rounds, so any other thread can take the
 * wheel. The own thread does so when the leader has been away for {@link Leading#MOST_NANOS}, for which it naps
 * {@value #LEAD_NAP_NANOS} nanoseconds at a time, or {@value #NAP_NANOS} after {@value LeadTerms#PROVEN} calls; the kernel
 * adds about 50,000 to a nap. A worker gets the wheel from the own thread seldom if leaders soon lose it
 * ({@link LeadTerms}).
 *
 * <h2>Orders of reads and writes</h2>
 *
 * A thread that needs the driver first writes that ({@code handOver}, {@code candidate}, a task), then reads which
 * thread drives. A driver first lets go, then reads whether another thread needs it. All these fields are volatile, so
 * one of the two sees the other.
 *
 * <h2>What runs on a thread that drives</h2>
 *
 * The thread may hold locks of the program. No other code of the program runs on it than would run there anyway: see
 * {@link #mayRunProgram}.
 */
final class Wheel implements Leading {

    static final int LONE = 8;
    static final int MANY = 4;
    static final long NAP_NANOS = 250_000;

    /** The nap while a worker leads that has not {@linkplain LeadTerms#isProven run many calls}. */
    static final long LEAD_NAP_NANOS = 90_000;

    /** How long a worker that wishes to lead waits until the own thread has let go. */
    private static final long CHANGE_NANOS = 1_000_000;

    /** The longest time for which a leader drives without a call. */
    private static final long LEAD_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The longest time for which a driver that is a caller does not see that it was interrupted. */
    static final long LOOK_NANOS = 50_000_000;

    /**
     * How long the thread rests after a round that threw, multiplied by the number of such rounds in a row, up to a
     * limit.
     */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final int MOST_PAUSES = 100;

    private static final System.Logger LOG = SafeLog.of(Wheel.class);

    private final DrivenLoop loop;
    private final Executor executor;
    private final boolean isForCallers;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();
    private final AtomicReference<@Nullable Thread> candidate = new AtomicReference<>(); // to be woken when free
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>(); // set by the driver only
    private final LeadTerms terms = new LeadTerms();
    private volatile long freeSince = System.nanoTime(); // when the last driver of a round let go
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger lone = new AtomicInteger(); // waits in a row without another one
    private volatile @Nullable Thread own;
    private volatile boolean handOver; // the driver is to let go
    private volatile boolean ownWanted; // the own thread is to take the wheel
    private int failures; // rounds that threw, in a row; driver only
    private volatile boolean asleep; // the own thread does not look by itself
    private final AtomicLong turns = new AtomicLong(); // how often others have let go; written by the driver
    private volatile long deadline; // when the one who drives wants to be woken
    private @Nullable WaitCondition awaited; // of the driver; driver only

    Wheel(DrivenLoop loop, Executor executor, boolean isForCallers) {
        this.loop = requireNonNull(loop, "loop");
        this.executor = requireNonNull(executor, "executor");
        this.isForCallers = isForCallers;
    }

    boolean isDriver(Thread thread) {
        return driver.get() == thread;
    }

    /** Says whether the current thread, which drives, holds no lock of the program: the own thread, or a leader. */
    boolean mayRunProgram() {
        Thread me = Thread.currentThread();
        return own == me || leader.get() == me;
    }

    /** Says whether the driver may wait for the kernel. Driver only. */
    boolean mayBlock() {
        WaitCondition it = awaited;
        return !handOver && (it == null || !it.isDone());
    }

    /** Makes the driver, or if no thread drives the own thread, check for work. */
    void attend() {
        if (!started.get() && started.compareAndSet(false, true)) {
            start();
        }
        if (driver.get() != null) {
            loop.wakeUp();
        } else if (leader.get() == null) { // a leader comes back soon, or is relieved
            callOwn();
        }
    }

    private void start() {
        try {
            executor.execute(this::run);
        } catch (Throwable e) { // no memory for a thread, for example: the next call tries again
            started.set(false);
            throw e;
        }
    }

    /** Runs a task of the loop on the current thread if no thread drives; says whether it did. */
    boolean runHere(Runnable task) {
        if (!isForCallers && leader.get() == null
                || driver.get() != null
                || isVirtual()
                || !driver.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        try {
            task.run();
        } catch (Throwable e) { // of others than the current thread, which may be a caller
            LOG.log(System.Logger.Level.ERROR, "task of an event loop", e);
        } finally {
            letGo(0);
        }
        return true;
    }

    @Override
    public boolean lead(WaitCondition work) {
        Thread me = Thread.currentThread();
        if (driver.compareAndSet(null, me)) {
            terms.goesOn();
        } else if (driver.get() != own || !terms.isGranted(System.nanoTime()) || !isGiven(me, work)) {
            leader.compareAndSet(me, null);
            return false;
        }
        leader.set(me);
        drive(work, System.nanoTime() + LEAD_NANOS);
        return leader.get() == me;
    }

    /** Asks the own thread for the wheel; says whether the current thread has got it. */
    private boolean isGiven(Thread me, WaitCondition work) {
        if (!candidate.compareAndSet(null, me)) {
            return false;
        }
        handOver = true;
        loop.wakeUp();
        long until = System.nanoTime() + CHANGE_NANOS;
        long left = CHANGE_NANOS;
        while (driver.get() != null && !work.isDone() && left > 0) {
            LockSupport.parkNanos(work, left);
            left = until - System.nanoTime();
        }
        candidate.compareAndSet(me, null);
        boolean isGiven = driver.compareAndSet(null, me);
        terms.given(isGiven);
        return isGiven;
    }

    @Override
    public void handBack() {
        if (leader.compareAndSet(Thread.currentThread(), null) && driver.get() == null) {
            callOwn();
        }
    }

    @Override
    public void recall() {
        Thread who = driver.get();
        if (who != null && who == leader.get() && who != Thread.currentThread()) {
            handOver = true;
            loop.wakeUp();
        }
    }

    /**
     * Borrows the right to write to the loop's sockets from a driver that waits for the kernel; the caller must
     * {@linkplain #giveBack give it back} soon. False if many threads wait: then the driver sends their frames
     * together.
     */
    boolean borrow() {
        return waiting.get() < MANY && !isVirtual() && loop.kernelWait().borrow();
    }

    /** Gives back what was borrowed. */
    void giveBack() {
        loop.kernelWait().giveBack();
    }

    /**
     * Waits until a condition holds or a time has come; may return early. The code that fulfils the condition unparks
     * the current thread, and then calls {@link #wakeWaiting}. Never called on the thread that drives.
     */
    void await(WaitCondition it, long atNanos) {
        if (!isForCallers) {
            park(it, atNanos);
            return;
        }
        Thread me = Thread.currentThread();
        int others = waiting.getAndIncrement();
        try {
            if (others > 0) {
                lone.set(0);
                Thread who = driver.get();
                if (who == null || who != own && who != leader.get()) {
                    handOver = true;
                    attend();
                }
                park(it, atNanos);
            } else if (lone.get() < LONE && lone.incrementAndGet() < LONE || isVirtual()) {
                if (driver.get() == null && leader.get() == null) {
                    callOwn();
                }
                park(it, atNanos);
            } else if (driver.compareAndSet(null, me)) {
                leader.set(null);
                long now = System.nanoTime(); // the kernel's wait ends at no interrupt
                drive(it, atNanos - now > LOOK_NANOS ? now + LOOK_NANOS : atNanos);
            } else {
                queueUp(me, it, atNanos);
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Wakes waiting threads, because a condition holds by an event of another loop or thread. */
    void wakeWaiting() {
        Thread who = driver.get();
        if (who != null && who != own && who != leader.get() && who != Thread.currentThread()) {
            handOver = true;
            loop.wakeUp();
        }
    }

    private boolean isVirtual() {
        return VirtualThreads.isVirtual(Thread.currentThread());
    }

    private void callOwn() {
        ownWanted = true;
        LockSupport.unpark(own);
    }

    private static void park(WaitCondition it, long atNanos) {
        long left = atNanos - System.nanoTime();
        if (left > 0 && !it.isDone()) {
            LockSupport.parkNanos(it, left);
        }
    }

    /** Waits for the wheel, or for the condition, which the driver may fulfil. */
    private void queueUp(Thread me, WaitCondition it, long atNanos) {
        candidate.set(me);
        handOver = true;
        if (driver.get() != null) {
            loop.wakeUp();
            park(it, atNanos);
        }
        candidate.compareAndSet(me, null);
    }

    /** Drives for at least one round. */
    private void drive(WaitCondition it, long atNanos) {
        handOver = false;
        deadline = atNanos;
        awaited = it;
        // the interrupt must not reach code of the loop that runs on this thread now
        boolean interrupted = Thread.interrupted();
        boolean goesOn = true;
        try {
            boolean isFirst = true;
            while (goesOn && !loop.isShuttingDown() && (isFirst || !it.isDone() && !handOver)) {
                isFirst = false;
                goesOn = roundSafely();
            }
        } finally {
            freeSince = System.nanoTime();
            letGo(1);
            if (!goesOn) {
                lone.set(0);
                callOwn(); // it pauses when rounds fail again and again
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Lets the current thread let go of the wheel. {@code itself} is 1 if it counts among the waiting threads, else 0.
     */
    private void letGo(int itself) {
        awaited = null;
        turns.lazySet(turns.get() + 1);
        driver.set(null);
        Thread next = candidate.get();
        boolean isLed = leader.get() != null && next == null;
        if (loop.isShuttingDown() || !isLed && (loop.hasTasks() || waiting.get() > itself && next == null)) {
            callOwn();
        } else if (asleep) {
            LockSupport.unpark(own);
        }
        LockSupport.unpark(next);
    }

    /** The life of the own thread. */
    private void run() {
        Thread me = Thread.currentThread();
        own = me;
        while (true) {
            if (driver.compareAndSet(null, me)) {
                leader.set(null);
                ownWanted = false;
                handOver = false;
                do {
                    if (!roundSafely()) {
                        calmDown();
                    }
                } while (!handOver && !loop.isShuttingDown());
                if (loop.isShuttingDown()) {
                    endSafely();
                    driver.set(null);
                    return;
                }
                freeSince = System.nanoTime();
                driver.set(null);
                LockSupport.unpark(candidate.get());
                if (loop.hasTasks()) {
                    continue;
                }
            }
            rest();
        }
    }

    /** Runs a round; an Error in it ends neither the driver nor other connections. Returns false if the round threw. */
    private boolean roundSafely() {
        try {
            loop.round();
            failures = 0;
            return true;
        } catch (Throwable e) { // of others than the one who drives: it may be a caller
            failures++;
            if (Integer.bitCount(failures) == 1) {
                LOG.log(System.Logger.Level.ERROR, "event loop, " + failures + " times in a row", e);
            }
            return false;
        }
    }

    private void endSafely() {
        try {
            loop.end();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "end of an event loop", e);
        }
    }

    /** Rests after failed rounds, so that a loop that cannot go on does not take a processor. */
    private void calmDown() {
        if (failures > 1) {
            LockSupport.parkNanos(this, Math.min(failures, MOST_PAUSES) * PAUSE_NANOS);
        }
    }

    /** Returns when the own thread is to try to take the wheel. */
    private void rest() {
        long seen = turns.get();
        if (driver.get() != null) {
            ownWanted = false; // another thread drives, and does the work
        }
        long nap = LEAD_NAP_NANOS;
        while (!ownWanted && !(loop.isShuttingDown() && driver.get() == null)) {
            LockSupport.parkNanos(this, nap);
            if (Thread.interrupted()) {
                LOG.log(System.Logger.Level.DEBUG, "event thread interrupted");
            }
            boolean isLed = leader.get() != null;
            nap = isLed && !terms.isProven() ? LEAD_NAP_NANOS : NAP_NANOS;
            if (driver.get() == null && !ownWanted) {
                long left = freeSince + (isLed ? MOST_NANOS : NAP_NANOS) - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                nap = Math.min(nap, left);
            } else if (!ownWanted && turns.get() == seen) {
                sleep();
            }
            seen = turns.get();
        }
    }

    /** Sleeps while another thread drives for long, but wakes it in time. */
    private void sleep() {
        asleep = true;
        long left = deadline - System.nanoTime();
        if (driver.get() == null || ownWanted || loop.isShuttingDown()) {
            asleep = false;
            return;
        }
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        } else {
            handOver = true;
            loop.wakeUp();
        }
        asleep = false;
    }
}
