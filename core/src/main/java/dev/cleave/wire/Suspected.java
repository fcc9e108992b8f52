package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * SUSPECTED: a broker hears nothing of the replica of some relayed calls, and another replica would take them: the
 * client can give up its idempotent calls there and send them again. Sent only to peers with the feature
 * of {@link FrameKind#SUSPECTED}.
 *
 * <pre>
 *   header (kind 35) | list of (u64 call)
 * </pre>
 *
 * @param calls the calls, at most {@link #MOST}
 */
public record Suspected(List<Long> calls) implements Frame {

    /** The most calls of one frame. */
    public static final int MOST = 4096;

    /** Copies its component. */
    public Suspected {
        calls = List.copyOf(calls);
    }

    /** Reads a frame. */
    public static Suspected read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.SUSPECTED);
        Suspected read = new Suspected(in.list(Long.BYTES, FrameReader::bits64));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.SUSPECTED, 0, 0),
                out -> out.list(calls, FrameWriter::bits64));
    }
}
