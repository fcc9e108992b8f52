package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * RESENT: sends the frames of a datagram, which may not have arrived, in the stream. The transport handles it: handlers
 * of frames never see it.
 *
 * <pre>
 *   header (kind 38, id = number of the datagram) | frames to the end
 * </pre>
 *
 * <p>{@link #begin} leaves the frame open for the frames, {@link Header#finish} completes it; {@link #read} leaves the reader
 * index at them.
 *
 * @param number of the datagram, from 1
 */
public record Resent(long number) implements Frame {

    /** Reads the fields of a frame; its reader index is at the frames afterwards. */
    public static Resent read(ByteBuf frame) {
        return new Resent(FrameReader.open(frame, FrameKind.RESENT).id());
    }

    /** Begins a frame without its contents and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int bytes) {
        return FrameWriter.begin(
                allocator, Header.LENGTH + bytes, new FrameWriter.Address(FrameKind.RESENT, 0, number), out -> {});
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
