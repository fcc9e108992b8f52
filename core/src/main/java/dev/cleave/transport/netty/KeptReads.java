package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Allocates the buffers that one channel reads into. While little arrives, it reuses one small buffer for the life of
 * the channel, once all readers have released it: the pool would create a new object for each read of a thread that is
 * not the event loop's own. Event loop only.
 */
@SuppressWarnings("deprecation") // of Netty's interface, which has no other method
final class KeptReads implements RecvByteBufAllocator {

    /** The bytes of the reused buffer. */
    static final int KEPT = KeptBuffer.SIZE;

    private final RecvByteBufAllocator otherwise;
    private final KeptBuffer kept = new KeptBuffer();

    /** Creates an allocator that uses another one for larger reads. */
    KeptReads(RecvByteBufAllocator otherwise) {
        this.otherwise = requireNonNull(otherwise, "otherwise");
    }

    @Override
    public Handle newHandle() {
        return new Reads(otherwise.newHandle());
    }

    /** Releases the reused buffer after the channel has ended. */
    void close() {
        kept.close();
    }

    private final class Reads extends DelegatingHandle implements ExtendedHandle {

        private Reads(Handle delegate) {
            super(delegate);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf known = guess() > KEPT ? null : kept.take(allocator);
            return known != null ? known : delegate().allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return ((ExtendedHandle) delegate()).continueReading(maybeMore);
        }
    }
}
