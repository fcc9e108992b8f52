package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * BEGUN: a server has begun calls of a service for which its peer has sent {@link Pull}, and so has room for more.
 *
 * <pre>
 *   header (kind 27, peer) | list of (u64 call)
 * </pre>
 *
 * @param peer the relayed client, or 0
 * @param calls the calls, at most {@link #MOST}
 */
public record Begun(int peer, List<Long> calls) implements Frame {

    /** The most calls of one frame. */
    public static final int MOST = 4096;

    /** Checks and copies its components. */
    public Begun {
        Header.checkPeer(peer);
        calls = List.copyOf(calls);
    }

    /** Reads a frame. */
    public static Begun read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.BEGUN);
        Begun read = new Begun(in.peer(), in.list(Long.BYTES, FrameReader::bits64));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.BEGUN, peer, 0),
                out -> out.list(calls, FrameWriter::bits64));
    }
}
