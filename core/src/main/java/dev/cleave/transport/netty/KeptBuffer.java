package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A small direct buffer that one channel uses again and again, once all readers have released it: the pool would create a new object for
 * each buffer of a thread that is not the event loop's own. Event loop only.
 */
final class KeptBuffer {

    /** The bytes of the buffer. */
    static final int SIZE = 1 << 10;

    private @Nullable ByteBuf kept;
    private boolean closed;

    /** Returns an empty buffer of at least {@code size} bytes, with a reference for the reader: the kept one, or one of the pool. */
    ByteBuf take(ByteBufAllocator allocator, int size) {
        ByteBuf known = size > SIZE ? null : take(allocator);
        return known == null ? allocator.directBuffer(size) : known;
    }

    /** Returns the kept buffer, empty, with a reference for the reader; null if an earlier reader still holds it, or it is closed. */
    @Nullable
    ByteBuf take(ByteBufAllocator allocator) {
        if (closed) {
            return null;
        }
        ByteBuf known = kept;
        if (known == null) {
            known = allocator.directBuffer(SIZE, SIZE);
            kept = known;
        }
        return known.refCnt() == 1 ? known.clear().retain() : null;
    }

    /** Releases the buffer after the channel has ended. */
    void close() {
        closed = true;
        ByteBuf known = kept;
        kept = null;
        if (known != null) {
            known.release();
        }
    }
}
