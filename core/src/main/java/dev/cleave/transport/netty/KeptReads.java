package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where one channel reads to: while little comes, one small buffer that stays for as long as the channel, and is filled again
 * when everybody has let go of it. Of the pool a thread that is not the event loop's own gets a new object for each read.
 * Event loop only.
 */
@SuppressWarnings("deprecation") // of Netty's interface, which has no other method
final class KeptReads implements RecvByteBufAllocator {

    /** The bytes of the buffer that stays. */
    static final int KEPT = 1 << 10;

    private final RecvByteBufAllocator otherwise;
    private @Nullable ByteBuf kept;
    private boolean closed;

    /** Reads much to the buffers of another one. */
    KeptReads(RecvByteBufAllocator otherwise) {
        this.otherwise = requireNonNull(otherwise, "otherwise");
    }

    @Override
    public Handle newHandle() {
        return new Reads(otherwise.newHandle());
    }

    /** The channel is gone. */
    void close() {
        closed = true;
        ByteBuf known = kept;
        kept = null;
        if (known != null) {
            known.release();
        }
    }

    /** The buffer that stays, with a reference for the reader; null if somebody still has it. */
    private @Nullable ByteBuf take(ByteBufAllocator allocator) {
        ByteBuf known = kept;
        if (known == null) {
            known = allocator.ioBuffer(KEPT, KEPT);
            kept = known;
        }
        return known.refCnt() == 1 ? known.clear().retain() : null;
    }

    private final class Reads extends DelegatingHandle implements ExtendedHandle {

        private Reads(Handle delegate) {
            super(delegate);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf known = closed || guess() > KEPT ? null : take(allocator);
            return known != null ? known : delegate().allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return ((ExtendedHandle) delegate()).continueReading(maybeMore);
        }
    }
}
