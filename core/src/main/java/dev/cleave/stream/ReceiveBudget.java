package dev.cleave.stream;

import dev.cleave.config.MemoryBounds;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Bounds the bytes of large values that are on their way to one node, or wait there for a worker, at a time. A value
 * beyond the bound is refused before memory is taken for it. A peer that has more than one value gets at most half of
 * what the others leave. A value that was announced and does not arrive loses its room when another needs it.
 * Thread-safe.
 */
public final class ReceiveBudget {

    /** The system property that sets the bound, in MiB; half of the heap unless it is given. */
    public static final String BOUND_PROPERTY = MemoryBounds.ARRIVING_PROPERTY;

    /** The time after which a message that has not begun to arrive may lose its room to another. */
    static final Duration UNBEGUN = Duration.ofSeconds(1);

    /** The time without {@value #SIGN} bytes after which any other message may lose its room. */
    static final Duration STALLED = Duration.ofSeconds(3);

    /** The source of the memory for a message. */
    public enum Room {
        /** The bound of arriving values, which all of its peers share. */
        ARRIVING,
        /** The room of calls whose callers have not come to their places. */
        AHEAD,
        /** Room that the caller has made for it. */
        MADE,
        /**
         * None yet: no credit is granted, and no array is made, until the message is {@linkplain InboundStreams#start
         * started}.
         */
        LATER
    }

    /** A message that has room of the budget, and loses it when it stalls. */
    interface Holder {

        /**
         * For how many nanoseconds its sender has not sent what it might, beyond its time for that; negative if it has
         * time left.
         */
        long stalledFor(long now);

        /** Gives its room up if it still stalls; says whether it did. On any thread. */
        boolean dropIfStalled(long now);
    }

    /** The bytes by which a message shows that it goes on arriving. */
    static final int SIGN = 4 << 10;

    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private final long bound;
    private final LongSupplier nanos;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong kept = new AtomicLong();
    private final Set<Holder> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong looked; // when stalled messages were looked for
    private final ArrayMaker maker = new ArrayMaker();
    private final AheadRoom ahead;

    /** A bound in bytes. */
    public ReceiveBudget(long bound) {
        this(bound, System::nanoTime);
    }

    /** A bound in bytes, with a clock. */
    ReceiveBudget(long bound, LongSupplier nanos) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound: " + bound + " (expected: at least 1 byte)");
        }
        this.bound = bound;
        ahead = new AheadRoom(MemoryBounds.ahead(bound));
        this.nanos = nanos;
        looked = new AtomicLong(nanos.getAsLong() - LOOK_NANOS);
    }

    /** The room of calls whose callers have not come to their places. */
    public AheadRoom ahead() {
        return ahead;
    }

    /** The bound that the system property sets. */
    public static ReceiveBudget configured() {
        return new ReceiveBudget(MemoryBounds.arriving());
    }

    /** Makes room for bytes that are kept, or gives it back if negative; false if there is none: a quarter of the bound. */
    boolean kept(long bytes) {
        long now = kept.addAndGet(bytes);
        if (bytes > 0 && now > bound / 4) {
            kept.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** The bytes that are kept: large arguments that have come more than once. */
    public long kept() {
        return kept.get();
    }

    /** The bytes that may be under way together. */
    public long bound() {
        return bound;
    }

    /** The bytes that are under way. */
    public long reserved() {
        return reserved.get();
    }

    /** Makes the arrays of the node that are large. */
    ArrayMaker maker() {
        return maker;
    }

    /** The time by the clock, never 0. */
    long now() {
        return nanos.getAsLong() | 1;
    }

    /** A message for which room was made is open until it is {@linkplain #closed closed}. */
    void opened(Holder message) {
        open.add(message);
    }

    /**
     * Takes their room from messages that do not come, those first that have not come for longest, until there is
     * enough.
     *
     * @param isEnough whether there is enough room; asked after each
     * @return whether it is
     */
    boolean dropStalled(BooleanSupplier isEnough) {
        long now = now();
        long before = looked.get();
        if (now - before < LOOK_NANOS || !looked.compareAndSet(before, now)) {
            return false;
        }
        List<Holder> stalled = open.stream()
                .filter(message -> message.stalledFor(now) >= 0)
                .sorted(Comparator.comparingLong((Holder message) -> message.stalledFor(now))
                        .reversed())
                .toList();
        for (Holder message : stalled) {
            if (message.dropIfStalled(now) && isEnough.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    /** Makes room for a message of a peer for which {@code own} bytes are reserved; says whether there is any. */
    boolean reserve(long bytes, long own) {
        long now = reserved.get();
        while (MemoryBounds.isShare(bound, now, own, bytes)) {
            if (reserved.compareAndSet(now, now + bytes)) {
                MemoryBounds.ARRIVING.add(bytes);
                return true;
            }
            now = reserved.get();
        }
        return false;
    }

    void closed(Holder message) {
        open.remove(message);
    }

    void release(long bytes) {
        reserved.addAndGet(-bytes);
        MemoryBounds.ARRIVING.add(-bytes);
    }
}
