package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * AWAITED: the caller is blocked until calls that were sent ahead have ended; the server runs them before calls without
 * a blocked caller.
 *
 * <pre>
 *   header (kind 25, peer) | list of (u64 call)
 * </pre>
 *
 * <p>A REQUEST whose caller is blocked from the beginning has the flag {@link RequestOptions#AWAITED}.
 *
 * @param peer the relayed client, or 0
 * @param calls the calls, at most {@link #MOST}
 */
public record Awaited(int peer, List<Long> calls) implements Frame {

    /** The most calls of one frame. */
    public static final int MOST = 4096;

    /** Checks and copies its components. */
    public Awaited {
        Header.checkPeer(peer);
        calls = List.copyOf(calls);
    }

    /** Reads a frame. */
    public static Awaited read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.AWAITED);
        Awaited read = new Awaited(in.peer(), in.list(Long.BYTES, FrameReader::bits64));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.AWAITED, peer, 0),
                out -> out.list(calls, FrameWriter::bits64));
    }
}
