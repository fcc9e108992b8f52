package dev.cleave.call;

import dev.cleave.config.MemoryBounds;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds what the names take that all peers behind one broker have announced together. Thread-safe. */
final class NameBudget {

    /** About what a name takes besides its characters, in bytes. */
    static final int PER_NAME = 64;

    private final long bound;
    private final AtomicLong taken = new AtomicLong();

    /** A bound in bytes. */
    NameBudget(long bound) {
        this.bound = bound;
    }

    /** The bound of one connection to a broker. */
    static NameBudget ofBroker() {
        return new NameBudget(MemoryBounds.namesBehindBroker());
    }

    /**
     * Takes memory for names that have been announced.
     *
     * @throws WireException if there is none left; nothing is taken then
     */
    void take(long bytes) {
        if (taken.addAndGet(bytes) > bound) {
            taken.addAndGet(-bytes);
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "names announced by relayed peers: more than " + bound + " bytes (expected: at most that)");
        }
    }

    /** A peer is gone, and its names are forgotten. */
    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** The bytes that names take now. */
    long taken() {
        return taken.get();
    }
}
