package dev.cleave.call;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Allocates buffers for frames whose length is known only when their values have been written: each method gets as many
 * bytes as its last frames took, so that the buffer need not grow and be copied.
 *
 * <p>A connection copies frames of up to {@link #COPIED} bytes, so these are written to the heap, which costs less than
 * to take memory from a pool and give it back. Longer ones are in direct memory, which the kernel reads. Thread-safe; two
 * frames that end at the same time may be counted once.
 */
public final class FrameRoom {

    /** The most bytes of a frame that is written to the heap. */
    public static final int COPIED = 4 << 10;

    private static final int LEAST = 64;
    private static final int MOST = 128 << 10;
    private static final int STEP = 64;
    private static final int LEARNED = 8;

    private final AtomicIntegerArray bytes; // by the index of the method: expected length of a frame

    /** Knows nothing yet of methods with the indexes below {@code methods}. */
    public FrameRoom(int methods) {
        bytes = new AtomicIntegerArray(methods);
    }

    /**
     * Allocates the buffer of a frame, which the caller owns.
     *
     * @param method the index of the method
     * @param fixed the bytes that each of its frames has at least
     * @param direct allocates direct memory
     */
    public ByteBuf allocate(int method, int fixed, ByteBufAllocator direct) {
        int expected = Math.max(fixed + LEAST, bytes.get(method) + STEP - 1 & -STEP);
        return expected <= COPIED ? UnpooledByteBufAllocator.DEFAULT.heapBuffer(expected) : direct.buffer(expected);
    }

    /**
     * Learns the length of a complete frame: the expectation rises at once to a longer frame, and falls step by step.
     * Returns the frame, or if it is on the heap and too long for that a copy in direct memory, and releases the frame.
     */
    public ByteBuf complete(int method, ByteBuf frame, ByteBufAllocator direct) {
        int length = frame.writerIndex();
        int before = bytes.get(method);
        int next = length >= before ? Math.min(length, MOST) : before - (before - length) / LEARNED - 1;
        if (next != before) {
            bytes.lazySet(method, next);
        }
        if (length <= COPIED || frame.isDirect()) {
            return frame;
        }
        ByteBuf copy = direct.buffer(length);
        copy.setBytes(0, frame, 0, length).setIndex(frame.readerIndex(), length);
        frame.release();
        return copy;
    }
}
