package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * SAME: names large arguments by their contents. A sender that may have sent them before on this connection sends it before the
 * REQUEST, whose {@link Blocks} then follow only as far as credit is granted; the receiver answers with those that it has kept,
 * which do not follow. Between two nodes only, and only to peers with the feature {@link Hello#SAME_BLOCKS}.
 *
 * <pre>
 *   header (kind 59, id = call) | u8 1 of an answer | u16 count | (u16 index | u64 * 4 SHA-256)*
 * </pre>
 *
 * @param id the call
 * @param isAnswer whether it lists what the receiver of the blocks has
 * @param blocks at most {@value #MOST}
 */
public record Same(long id, boolean isAnswer, List<Entry> blocks) implements Frame {

    /** The most blocks of one frame. */
    public static final int MOST = 64;

    /**
     * The contents of a block: the SHA-256 of its bytes.
     *
     * @param a the first eight bytes, then the others
     */
    public record Contents(long a, long b, long c, long d) {}

    /**
     * A block.
     *
     * @param index among the blocks of the REQUEST
     * @param contents its bytes
     */
    public record Entry(int index, Contents contents) {}

    /** Checks its components. */
    public Same {
        blocks = List.copyOf(blocks);
        if (blocks.size() > MOST) {
            throw new IllegalArgumentException("blocks: " + blocks.size() + " (expected: at most " + MOST + ")");
        }
    }

    /** Reads a frame. */
    public static Same read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.SAME);
        boolean isAnswer = in.u8() != 0;
        int count = in.u16();
        if (count > MOST) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "SAME of " + count + " blocks (expected: at most " + MOST + ")");
        }
        List<Entry> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(new Entry(in.u16(), new Contents(in.bits64(), in.bits64(), in.bits64(), in.bits64())));
        }
        Same read = new Same(in.id(), isAnswer, blocks);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.SAME, 0, id), out -> {
            out.u8(isAnswer ? 1 : 0).u16(blocks.size());
            for (Entry each : blocks) {
                Contents of = each.contents();
                out.u16(each.index())
                        .bits64(of.a())
                        .bits64(of.b())
                        .bits64(of.c())
                        .bits64(of.d());
            }
        });
    }
}
