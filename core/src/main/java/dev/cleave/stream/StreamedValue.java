package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.Later;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.wire.ErrorCode;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A value that a program uses while it arrives in chunks. Its bytes are those of the blocks of a message that have its
 * number.
 *
 * <p>One thread fills it; any thread may read it and wait for it. A worker that waits lends its slot meanwhile. Each
 * wait ends with a failure when the value can arrive no more, or when the time of its owner is over.
 */
@SuppressWarnings("NullAway") // it does not see that the type of the value may be null
public final class StreamedValue implements Later.Value<@Nullable Object> {

    /** The call to which the value belongs. */
    public interface Owner {

        /** The nanoseconds that the call may still take. */
        long remainingNanos();

        /** The exception that is thrown to those who wait when the value does not arrive. */
        RuntimeException failed(ErrorCode code, String why);
    }

    /** Reads the objects of a value whose bytes have all arrived. */
    public interface Decoder {

        /**
         * The value.
         *
         * @param owner the call that it belongs to; null if it belongs to none
         * @throws RuntimeException if the bytes are not those of a value that is allowed: the owner's, if there is one
         */
        @Nullable
        Object decode(@Nullable Owner owner);
    }

    /**
     * When a value was waited for, on the clock of {@link System#nanoTime}.
     *
     * @param completeNanos when all bytes had arrived
     * @param firstNanos when a thread waited first; 0 if none did
     * @param sumNanos how long all waits took together
     */
    public record Waits(long completeNanos, long firstNanos, long sumNanos) {}

    private static final int ALL = Integer.MAX_VALUE;

    private final int number;
    private final List<Block> blocks;
    private volatile int received; // elements of the array; written before `wanted` is read
    private volatile long readable; // bytes of the only block; written before the forwarding tasks run
    private volatile boolean complete;
    private volatile int wanted = ALL; // the least number of elements that a thread waits for
    private volatile @Nullable ErrorCode failure;
    private String why = ""; // written before failure

    private @Nullable Owner owner; // set before a thread can wait
    private @Nullable Decoder decoder; // of a value that is no array

    @GuardedBy("this")
    private @Nullable Object value;

    @GuardedBy("this")
    private boolean decoded;

    private final Object lock = new Object();
    private int parameter = -1; // set by the thread that reads the message

    @GuardedBy("lock")
    private long completeNanos;

    @GuardedBy("lock")
    private long firstNanos;

    @GuardedBy("lock")
    private long waitNanos;

    @GuardedBy("lock")
    private List<Runnable> arrivals = new ArrayList<>(0);

    private final List<Runnable> followers = new CopyOnWriteArrayList<>(); // send what has arrived to the next node

    /**
     * Creates the value of some blocks.
     *
     * @param number tells it from other values of its message, at least 1
     */
    public StreamedValue(int number, List<Block> blocks) {
        this.number = number;
        this.blocks = List.copyOf(blocks);
    }

    /** Tells it from other values of its message. */
    public int number() {
        return number;
    }

    /** Sets the call that it belongs to; before a thread waits. */
    public void belongsTo(Owner whose) {
        owner = whose;
    }

    /** Sets what decodes it, which makes it no array; before a thread waits. */
    public void decodedBy(Decoder how) {
        decoder = how;
    }

    /** Its blocks, in the order in which they arrive; the last one of a value that is no array holds its objects. */
    public List<Block> blocks() {
        return blocks;
    }

    /** Whether it is an array of primitives, or of such arrays, that can be used part by part. */
    public boolean isArray() {
        return decoder == null;
    }

    /** Says how many bytes of its only block have arrived. By the thread that fills it. */
    void filled(long bytes) {
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

    /** Says that all bytes have arrived. By the thread that fills it. */
    void completed() {
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

    /** Ends all waits with a failure, unless the value has arrived. */
    void fail(ErrorCode code, String reason) {
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

    /** Why it does not arrive; null if it has arrived, or may still. */
    public @Nullable ErrorCode failure() {
        return failure;
    }

    /** The text of the {@link #failure}. */
    public String why() {
        return why;
    }

    /**
     * Runs a task whenever more of an array has arrived, on the thread that fills it, until {@link #unfollow}. It may
     * not block.
     */
    void follow(Runnable task) {
        followers.add(task);
    }

    /** Runs a task no more. */
    void unfollow(Runnable task) {
        followers.remove(task);
    }

    /** How many bytes of its only block have arrived. */
    long readable() {
        return readable;
    }

    /** The parameter of its call that it is, counted from 0; -1 if that was not said. */
    public int parameter() {
        return parameter;
    }

    /** Says which parameter of its call it is. */
    public void isParameter(int number) {
        parameter = number;
    }

    /** Its bytes, arrived or not. */
    public long bytes() {
        return blocks.stream().mapToLong(Block::bytes).sum();
    }

    /** When it was waited for until now. */
    public Waits waits() {
        synchronized (lock) {
            return new Waits(completeNanos, firstNanos, waitNanos);
        }
    }

    @Override
    public boolean isHere() {
        return complete;
    }

    @Override
    public void onArrival(Runnable task) {
        requireNonNull(task, "task");
        synchronized (lock) {
            if (!complete && failure == null) {
                arrivals.add(task);
                return;
            }
        }
        task.run();
    }

    @Override
    public int received() {
        return isArray() ? received : 0;
    }

    @Override
    public @Nullable Object begun() {
        if (!isArray()) {
            return get();
        }
        Block block = blocks.get(0);
        Object array = block.array();
        if (array == null) {
            waitFor(0, Long.MAX_VALUE);
            array = requireNonNull(block.array());
        }
        return array;
    }

    @Override
    public @Nullable Object get() {
        return get(Long.MAX_VALUE);
    }

    @Override
    public @Nullable Object get(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("atMost: " + atMost + " (expected: positive)");
        }
        return get(atMost.toNanos());
    }

    private @Nullable Object get(long nanos) {
        if (!complete) {
            waitFor(ALL - 1, nanos);
        }
        if (isArray()) {
            return blocks.get(0).array();
        }
        synchronized (this) {
            if (!decoded) {
                value = requireNonNull(decoder).decode(owner);
                decoded = true;
            }
            return value;
        }
    }

    @Override
    public int await(int index) {
        int now = received();
        if (index < now || index < 0 || complete || !isArray()) {
            return now;
        }
        Object array = begun();
        if (array == null || index >= Array.getLength(array)) {
            return received();
        }
        waitFor(index + 1, Long.MAX_VALUE);
        return received();
    }

    /** Waits until {@code elements} elements or all bytes have arrived; with 0 until the array exists. */
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
            wanted = ALL; // each thread that still waits sets it again
            lock.notifyAll();
        }
    }
}
