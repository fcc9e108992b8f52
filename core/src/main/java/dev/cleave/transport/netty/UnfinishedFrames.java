package dev.cleave.transport.netty;

import dev.cleave.config.MemoryBounds;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds what the frames of which a part has come take together, on all connections of a transport. Thread-safe. */
final class UnfinishedFrames {

    private final long bound;
    private final AtomicLong taken = new AtomicLong();

    /** A bound in bytes. */
    UnfinishedFrames(long bound) {
        this.bound = bound;
    }

    /** The bound of a transport. */
    static UnfinishedFrames ofTransport() {
        return new UnfinishedFrames(MemoryBounds.unfinishedFrames());
    }

    /**
     * Takes memory for a frame that grows.
     *
     * @param own what has been taken for it before
     * @param more what it takes besides
     * @throws WireException if that would be more than its share; nothing is taken then
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

    /** A frame is complete, or never will be. */
    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        MemoryBounds.UNFINISHED.add(-bytes);
    }

    /** The bytes that are taken. */
    long taken() {
        return taken.get();
    }
}
