package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is used while it arrives: one group of the blocks of a message.
 *
 * <p>One thread fills it; any may read it and wait for it. A worker that waits lends its slot meanwhile. All waits end with a
 * failure when it can arrive no more, or when its owner's time is over.
 */
public final class LateValue {

    /** Whose value it is. */
    public interface Owner {

        /** How many nanoseconds it may still take. */
        long remainingNanos();

        /** What is thrown when the value does not arrive. The same thing each time, or not. */
        RuntimeException failed(ErrorCode code, String why);
    }

    /**
     * How long it was waited for. By the clock of {@link System#nanoTime}.
     *
     * @param completeNanos when all had come
     * @param firstNanos when somebody waited first; 0 if nobody did
     * @param sumNanos how long all waits took
     */
    public record Waits(long completeNanos, long firstNanos, long sumNanos) {}

    private static final int NOBODY = Integer.MAX_VALUE;

    private final int group;
    private final List<Block> blocks;
    private volatile int received; // elements of the array; written before those who wait are looked for
    private volatile long readable; // bytes of the only block; written before those are told who pass it on
    private volatile boolean complete;
    private volatile int wanted = NOBODY; // the least number of elements that somebody waits for
    private volatile @Nullable ErrorCode failure;
    private String why = ""; // written before failure

    private @Nullable Owner owner; // set before anybody can wait
    private @Nullable Supplier<@Nullable Object> decoder; // of what is no array

    @GuardedBy("this")
    private @Nullable Object value;

    @GuardedBy("this")
    private boolean decoded;

    private final Object lock = new Object();
    private int parameter = -1; // set by who reads it

    @GuardedBy("lock")
    private long completeNanos;

    @GuardedBy("lock")
    private long firstNanos;

    @GuardedBy("lock")
    private long waitNanos;

    @GuardedBy("lock")
    private List<Runnable> arrivals = new ArrayList<>(0);

    private final List<Runnable> followers = new CopyOnWriteArrayList<>(); // who pass it on

    /** The value that a group of blocks is. */
    public LateValue(int group, List<Block> blocks) {
        this.group = group;
        this.blocks = List.copyOf(blocks);
    }

    /** The number of its group. */
    public int group() {
        return group;
    }

    /** Who waits for it. To be set before anybody does. */
    public void belongsTo(Owner whose) {
        owner = whose;
    }

    void decodedBy(Supplier<@Nullable Object> how) {
        decoder = how;
    }

    /** The time of its owner, unless that was over before. */
    TimeLimit limit() {
        Owner whose = owner;
        return whose == null || whose.remainingNanos() <= 0 ? TimeLimit.NONE : () -> whose.remainingNanos() <= 0;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** Whether it is an array, or an array of arrays of primitives, that can be used part by part. */
    public boolean isArray() {
        return decoder == null;
    }

    /** Some bytes of its only block have come. By the thread that fills it. */
    public void filled(long bytes) {
        if (blocks.size() == 1) {
            int now = blocks.get(0).elements(bytes);
            received = now;
            readable = bytes;
            if (now >= wanted) {
                wake();
            }
            followers.forEach(Runnable::run);
        }
    }

    /** All has come. By the thread that fills it. */
    public void completed() {
        List<Runnable> tasks;
        synchronized (lock) {
            complete = true;
            completeNanos = System.nanoTime();
            tasks = arrivals;
            arrivals = List.of();
        }
        wake();
        tasks.forEach(Runnable::run);
    }

    /** It arrives no more, unless it has. */
    public void fail(ErrorCode code, String reason) {
        List<Runnable> tasks;
        synchronized (lock) {
            if (complete || failure != null) {
                return;
            }
            why = reason;
            failure = code;
            tasks = arrivals;
            arrivals = List.of();
        }
        wake();
        tasks.forEach(Runnable::run);
    }

    /** Why it does not arrive; null if it has, or may. */
    public @Nullable ErrorCode failure() {
        return failure;
    }

    /** What was said of the {@link #failure}. */
    public String why() {
        return why;
    }

    /** Runs a task whenever more of an array has come, on the thread that fills it, until {@link #unfollow}: it may not block. */
    public void follow(Runnable task) {
        followers.add(task);
    }

    /** Runs it no more. */
    public void unfollow(Runnable task) {
        followers.remove(task);
    }

    /** How many bytes of its only block have come. */
    long readable() {
        return readable;
    }

    /** Which parameter of its call it is, counted from 0; -1 if nobody has said so. */
    public int parameter() {
        return parameter;
    }

    /** Says which parameter it is. */
    public void isParameter(int number) {
        parameter = number;
    }

    /** Its size. */
    public long bytes() {
        return blocks.stream().mapToLong(Block::bytes).sum();
    }

    /** How long it was waited for until now. */
    public Waits waits() {
        synchronized (lock) {
            return new Waits(completeNanos, firstNanos, waitNanos);
        }
    }

    /** Whether all has come. */
    public boolean isComplete() {
        return complete;
    }

    /** Runs a task when all has come or will come no more, or now if so. On the thread that finds that out: it may not block. */
    public void onArrival(Runnable task) {
        synchronized (lock) {
            if (!complete && failure == null) {
                arrivals.add(task);
                return;
            }
        }
        task.run();
    }

    /** How many elements of the array have come, of an array of arrays whole rows; 0 of what is no array. */
    public int received() {
        return isArray() ? received : 0;
    }

    /** The array as soon as it is known how long it is; what is no array as {@link #whole}. */
    public @Nullable Object begun() {
        if (!isArray()) {
            return whole();
        }
        Block block = blocks.get(0);
        Object array = block.array();
        if (array == null) {
            waitFor(0, Long.MAX_VALUE);
            array = requireNonNull(block.array());
        }
        return array;
    }

    /** The value, when all of it has come. */
    public @Nullable Object whole() {
        return whole(Long.MAX_VALUE);
    }

    /**
     * The value, if all of it comes in time.
     *
     * @throws RuntimeException the owner's, also with {@link ErrorCode#DEADLINE} if this time is over
     */
    public @Nullable Object whole(long nanos) {
        if (!complete) {
            waitFor(NOBODY - 1, nanos);
        }
        if (isArray()) {
            return blocks.get(0).array();
        }
        synchronized (this) {
            if (!decoded) {
                try {
                    value = requireNonNull(decoder).get();
                } catch (SerialException e) {
                    Owner whose = owner;
                    throw whose == null ? e : whose.failed(e.code(), "a later value: " + e.getMessage());
                }
                decoded = true;
            }
            return value;
        }
    }

    /** Waits until the element with an index has come; how many have. For an index outside of the array returns at once. */
    public int await(int index) {
        int now = received();
        if (index < now || index < 0 || complete) {
            return now;
        }
        Object array = begun();
        if (array == null || !isArray() || index >= java.lang.reflect.Array.getLength(array)) {
            return received();
        }
        waitFor(index + 1, Long.MAX_VALUE);
        return received();
    }

    /** Waits until so many elements have come, or all; with 0 until the array is known. */
    private void waitFor(int elements, long nanos) {
        LendingThread lender = Thread.currentThread() instanceof LendingThread worker ? worker : null;
        if (lender != null) {
            lender.lend(0);
        }
        try {
            boolean interrupted = waitUninterruptibly(elements, nanos);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            if (lender != null) {
                lender.reclaim();
            }
        }
    }

    private boolean waitUninterruptibly(int elements, long nanos) {
        Owner whose = requireNonNull(owner, "owner");
        long begun = System.nanoTime();
        synchronized (lock) {
            if (isThere(elements)) {
                return false;
            }
            firstNanos = firstNanos == 0 ? begun : firstNanos;
            try {
                return waitLocked(elements, begun, nanos, whose);
            } finally {
                waitNanos += System.nanoTime() - begun;
            }
        }
    }

    @GuardedBy("lock")
    private boolean waitLocked(int elements, long begun, long nanos, Owner whose) {
        boolean interrupted = false;
        while (true) {
            wanted = Math.min(wanted, elements);
            if (isThere(elements)) {
                return interrupted;
            }
            ErrorCode code = failure;
            if (code != null) {
                throw whose.failed(code, why);
            }
            long left = Math.min(whose.remainingNanos(), nanos - (System.nanoTime() - begun));
            if (left <= 0) {
                throw whose.failed(ErrorCode.DEADLINE, "a later value has not arrived in time");
            }
            try {
                // rounded up: it would spin through its last millisecond
                lock.wait(Math.min(TimeUnit.NANOSECONDS.toMillis(left) + 1, TimeUnit.HOURS.toMillis(1)));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private boolean isThere(int elements) {
        return complete
                || received >= elements && (elements > 0 || blocks.get(0).array() != null);
    }

    private void wake() {
        synchronized (lock) {
            wanted = NOBODY; // those who still wait say it again
            lock.notifyAll();
        }
    }
}
