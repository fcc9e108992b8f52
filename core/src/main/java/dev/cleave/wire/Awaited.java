package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * AWAITED: somebody is blocked until calls that were sent ahead have ended; they go before those that nobody waits for yet.
 *
 * <pre>
 *   header (kind 25, peer) | list of (u64 call)
 * </pre>
 *
 * <p>A REQUEST whose caller waits from the beginning says so by bit 7 of its flags.
 *
 * @param peer the relayed client, or 0
 * @param calls the calls, at most {@link #MOST}
 */
public record Awaited(int peer, List<Long> calls) implements Frame {

    /** The most calls of one frame. */
    public static final int MOST = 4096;

    private static final int AWAITED = 128;

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

    /** Says on a REQUEST that its caller waits from the beginning. */
    public static void mark(ByteBuf request) {
        Header.flags(request, Header.flags(request) | AWAITED);
    }

    /** Whether a REQUEST, its reader index at the header, says that its caller waits from the beginning. */
    public static boolean isMarked(ByteBuf request) {
        return (Header.flags(request) & AWAITED) != 0;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.AWAITED, peer, 0),
                out -> out.list(calls, FrameWriter::bits64));
    }
}
