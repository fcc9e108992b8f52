package dev.cleave.call;

import dev.cleave.config.MemoryBounds;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory of the names that several peers have announced. Thread-safe. */
public final class NameBudget {

    /** The approximate memory of a name besides its characters, in bytes. */
    public static final int PER_NAME = 64;

    private static final NameBudget DIRECT = new NameBudget("peers", MemoryBounds.names());

    private final String whose;
    private final long bound;
    private final AtomicLong taken = new AtomicLong();

    /**
     * A bound.
     *
     * @param whose the peers that announce the names, for messages
     * @param bound in bytes
     */
    NameBudget(String whose, long bound) {
        this.whose = whose;
        this.bound = bound;
    }

    /** The bound of all peers behind one broker together. */
    static NameBudget ofBroker() {
        return new NameBudget("relayed peers", MemoryBounds.names());
    }

    /** The bound of all peers of the process together that are at the other end of a connection. */
    public static NameBudget direct() {
        return DIRECT;
    }

    /**
     * Takes memory for names that have been announced.
     *
     * @throws WireException if there is none left; nothing is taken then
     */
    void take(long bytes) {
        if (MemoryBounds.room(bound, taken.addAndGet(bytes) - bytes) < bytes) {
            taken.addAndGet(-bytes);
            throw refused();
        }
        MemoryBounds.NAMES.add(bytes);
    }

    /**
     * Takes memory for more names of one peer.
     *
     * @param own the bytes that the peer has taken before
     * @throws WireException if that is more than its share; nothing is taken then
     */
    public void take(long own, long more) {
        long now = taken.get();
        while (MemoryBounds.isShare(bound, now, own, more)) {
            if (taken.compareAndSet(now, now + more)) {
                MemoryBounds.NAMES.add(more);
                return;
            }
            now = taken.get();
        }
        throw refused();
    }

    private WireException refused() {
        MemoryBounds.NAMES.refused();
        return new WireException(
                ErrorCode.PROTOCOL,
                "names announced by " + whose + ": more than " + bound
                        + " bytes, or half of what others leave for one (expected: at most that)");
    }

    /** A peer is gone, and its names are forgotten. */
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        MemoryBounds.NAMES.add(-bytes);
    }

    /** The bytes that names take now. */
    long taken() {
        return taken.get();
    }
}
