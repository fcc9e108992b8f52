package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * TYPES: the sender will use these numbers for these classes from now on (for this peer, in this direction).
 *
 * <pre>
 *   header (kind 11, peer) | u32 first | list of (string class name)
 * </pre>
 *
 * @param peer the relayed client, or 0
 * @param first the number of the first class; numbers are dense from 0
 * @param names binary class names
 */
public record Types(int peer, int first, List<String> names) implements Frame {

    /** Checks its components. */
    public Types {
        Header.checkPeer(peer);
        names = List.copyOf(names);
    }

    /** Reads a frame. */
    public static Types read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.TYPES);
        Types read = new Types(in.peer(), in.u32(), in.strings());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.TYPES, peer, 0), out -> out.u32(first)
                .strings(names));
    }
}
