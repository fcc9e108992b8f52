package dev.cleave.transport.netty;

import dev.cleave.config.MemoryBounds;
import dev.cleave.wire.Checksum;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames.
 *
 * <p>A frame that lies whole in the bytes of one read is passed on in place. The first part of any other frame is
 * copied to a buffer which grows with the bytes that arrive, at most to twice their number, and never with the
 * announced length: a peer that announces 64 MiB and sends nothing costs nothing. Buffers above {@link MemoryBounds#FREE_UNFINISHED} bytes
 * share a bound with those of other connections. CHUNK frames, which are short, get a buffer of their length at once. A
 * length beyond the limits is refused as soon as its four bytes are there.
 *
 * <p>A frame whose checksum is wrong is refused before it is passed on. Event loop only.
 */
final class FrameSplitter {

    private static final int LEAST_CAPACITY = 512;
    private static final int KIND_END = Integer.BYTES + Byte.BYTES;

    private final ByteBufAllocator allocator;
    private final UnfinishedFrames unfinished;
    private final BooleanSupplier isStranger;
    private int counted; // bytes of the shared bound that the partial frame has taken
    private int limit = Header.HELLO_LIMIT;
    private boolean anyCame;
    private int trailer; // the length of the checksum behind each frame
    private @Nullable ByteBuf partial;

    /**
     * Creates the splitter of one connection.
     *
     * @param isStranger whether the peer has still to prove its identity
     */
    FrameSplitter(ByteBufAllocator allocator, UnfinishedFrames unfinished, BooleanSupplier isStranger) {
        this.isStranger = isStranger;
        this.allocator = allocator;
        this.unfinished = unfinished;
    }

    /**
     * Passes each frame that is complete now to {@code sink}, until that returns {@code false}, and keeps the rest. The
     * caller still owns the bytes, but must not read them any more; the sink may read a frame during its call.
     *
     * @throws WireException if the bytes are no frame, or too long a frame
     */
    void feed(ByteBuf bytes, Predicate<ByteBuf> sink) {
        boolean goOn = partial == null || completed(partial, bytes, sink);
        while (goOn) {
            int length = Header.frameLength(bytes, limit());
            if (length < 0 || length + trailer > bytes.readableBytes()) {
                keep(bytes, length);
                return;
            }
            if (trailer > 0) {
                check(bytes, length);
                ByteBuf frame = bytes.readSlice(length);
                bytes.skipBytes(trailer);
                goOn = sink.test(frame);
                continue;
            }
            if (!anyCame) {
                lift(Header.kind(bytes));
            }
            if (length == bytes.readableBytes() && bytes.readerIndex() == 0) { // as for a lone call
                boolean unused = sink.test(bytes);
                return;
            }
            goOn = sink.test(bytes.readSlice(length));
        }
    }

    /** Expects the checksum of each later frame behind it. */
    void expectChecksums() {
        trailer = Checksum.LENGTH;
    }

    /** Checks a frame and the checksum behind it, from the reader index on. */
    private static void check(ByteBuf bytes, int length) {
        int begin = bytes.readerIndex();
        Checksum.check(bytes.getInt(begin + length), bytes, begin, length);
    }

    /** Records that a frame has come; those of the transport itself do not count. */
    private void lift(FrameKind kind) {
        anyCame |= kind != FrameKind.DATAGRAMS;
    }

    /** The length limit, which is raised after the first frame, or once the peer has proved its identity. */
    private int limit() {
        if (limit == Header.HELLO_LIMIT && anyCame && !isStranger.getAsBoolean()) {
            limit = Header.CALL_LIMIT;
        }
        return limit;
    }

    /** Says whether the bytes so far end within a frame. */
    boolean isWithinFrame() {
        return partial != null;
    }

    void release() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
        uncount();
    }

    /** Takes room of the shared bound for a partial frame of a capacity in bytes. */
    private void count(int capacity) {
        if (capacity > MemoryBounds.FREE_UNFINISHED && capacity > counted) {
            unfinished.take(counted, capacity - counted);
            counted = capacity;
        }
    }

    private void uncount() {
        if (counted > 0) {
            unfinished.giveBack(counted);
            counted = 0;
        }
    }

    /** Says whether a frame is a CHUNK: chunks are short, and there are many. */
    private static boolean isChunk(ByteBuf bytes) {
        return bytes.readableBytes() >= Header.LENGTH && Header.kind(bytes) == FrameKind.CHUNK;
    }

    private void keep(ByteBuf bytes, int length) {
        if (bytes.isReadable()) {
            int capacity = Math.max(LEAST_CAPACITY, bytes.readableBytes());
            int whole = length + trailer;
            int taken = length < 0 ? capacity : Math.min(whole, isChunk(bytes) ? whole : 2 * capacity);
            count(taken);
            partial = allocator.buffer(taken);
            partial.writeBytes(bytes);
        }
    }

    /** Completes the partial frame and passes it on; says whether that was possible and the sink wants more. */
    private boolean completed(ByteBuf frame, ByteBuf bytes, Predicate<ByteBuf> sink) {
        fill(frame, bytes, KIND_END);
        int length = Header.frameLength(frame, limit());
        if (length < 0) {
            return false;
        }
        fill(frame, bytes, length + trailer);
        if (frame.readableBytes() < length + trailer) {
            return false;
        }
        if (trailer > 0) {
            check(frame, length);
            frame.writerIndex(frame.readerIndex() + length);
        }
        lift(Header.kind(frame));
        partial = null;
        try {
            return sink.test(frame);
        } finally {
            frame.release();
            uncount();
        }
    }

    private void fill(ByteBuf frame, ByteBuf bytes, int length) {
        int count = Math.min(length - frame.readableBytes(), bytes.readableBytes());
        if (count > 0) {
            int needed = frame.readableBytes() + count;
            if (needed > frame.capacity()) {
                int capacity = Math.max(needed, Math.min(length, 2 * frame.capacity()));
                count(capacity);
                frame.capacity(capacity);
            }
            frame.writeBytes(bytes, count);
        }
    }
}
