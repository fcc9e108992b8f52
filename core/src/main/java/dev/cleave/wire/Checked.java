package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CHECKED: each later frame of this side's stream is followed by its {@link Checksum}, which its length does not count.
 *
 * <pre>
 *   header (kind 41) | u32 checksum of the header
 * </pre>
 */
public record Checked() implements Frame {

    /**
     * Reads a frame.
     *
     * @throws WireException if it is not as it was sent
     */
    public static Checked read(ByteBuf frame) {
        int begin = frame.readerIndex();
        FrameReader in = FrameReader.open(frame, FrameKind.CHECKED);
        int checksum = in.bits32();
        in.end();
        Checksum.check(checksum, frame, begin, Header.LENGTH);
        return new Checked();
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.CHECKED, 0, 0), out -> out.bits32(0));
        return frame.setInt(
                frame.readerIndex() + Header.LENGTH, Checksum.of(frame, frame.readerIndex(), Header.LENGTH));
    }
}
