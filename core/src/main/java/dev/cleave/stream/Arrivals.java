package dev.cleave.stream;

import dev.cleave.config.MemoryBounds;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of large values may be on their way to one node, or wait there for a worker, at a time: memory is taken for
 * none that is beyond that. A peer with more than one takes at most half of what the others leave. Thread-safe.
 */
public final class Arrivals {

    /** The system property that sets the bound, in MiB; half of the heap unless it is given. */
    public static final String BOUND_PROPERTY = MemoryBounds.ARRIVING_PROPERTY;

    private final long bound;
    private final AtomicLong reserved = new AtomicLong();
    private final ArrayMaker maker = new ArrayMaker();

    /** A bound in bytes. */
    public Arrivals(long bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound: " + bound + " (expected: at least 1 byte)");
        }
        this.bound = bound;
    }

    /** The bound that the system property sets. */
    public static Arrivals configured() {
        return new Arrivals(MemoryBounds.arriving());
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

    /** Makes room for a message of a peer for which {@code own} bytes are reserved; says whether there is any. */
    boolean reserve(long bytes, long own) {
        long now = reserved.get();
        while (MemoryBounds.isShare(bound, now, own, bytes)) {
            if (reserved.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = reserved.get();
        }
        return false;
    }

    void release(long bytes) {
        reserved.addAndGet(-bytes);
    }
}
