package dev.cleave.transport.netty;

import dev.cleave.config.MemoryBounds;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory of incomplete frames on all connections of the process together. Thread-safe. */
final class UnfinishedFrames {

    private static final UnfinishedFrames OF_PROCESS = new UnfinishedFrames(MemoryBounds.unfinishedFrames());

    private final long bound;
    private final AtomicLong taken = new AtomicLong();

    /** Creates a bound in bytes. */
    UnfinishedFrames(long bound) {
        this.bound = bound;
    }

    /** The bound of all connections of the process, of whatever transport. */
    static UnfinishedFrames ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Takes memory for a frame that grows.
     *
     * @param own the bytes that it has taken before
     * @param more the bytes that it takes in addition
     * @throws WireException if that would exceed its share; nothing is taken then
     */
    void take(long own, long more) {
        long now = taken.get();
        while (MemoryBounds.isShare(bound, now, own, more)) {
            if (taken.compareAndSet(now, now + more)) {
                MemoryBounds.UNFINISHED.add(more);
                return;
            }
            now = taken.get();
        }
        MemoryBounds.UNFINISHED.refused();
        throw new WireException(
                ErrorCode.OVERLOAD,
                "a frame of " + (own + more) + " bytes and more, while " + now
                        + " bytes of frames have come in part (expected: at most " + bound
                        + " bytes, half of what others leave for one connection)");
    }

    /** Returns the bytes of a frame that is complete, or never will be. */
    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        MemoryBounds.UNFINISHED.add(-bytes);
    }

    /** The bytes in use. */
    long taken() {
        return taken.get();
    }
}
