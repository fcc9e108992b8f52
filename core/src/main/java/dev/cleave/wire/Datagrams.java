package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * DATAGRAMS: the sender also receives frames by datagrams. It is the first frame of the side that dials; the other side
 * answers when it is ready, and from the answer on both count the frames of the stream. The transport handles it:
 * handlers of frames never see it.
 *
 * <pre>
 *   header (kind 37, id = key) | u16 port
 * </pre>
 *
 * @param key part of each datagram, both ways
 * @param port the UDP port of the sender, 1 to 65,535
 */
public record Datagrams(long key, int port) implements Frame {

    /** Checks its components. */
    public Datagrams {
        if (port < 1 || port > 0xffff) {
            throw new WireException(ErrorCode.PROTOCOL, "port: " + port + " (expected: 1..65535)");
        }
    }

    /** Reads a frame. */
    public static Datagrams read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.DATAGRAMS);
        Datagrams read = new Datagrams(in.id(), in.u16());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.DATAGRAMS, 0, key), out -> out.u16(port));
    }
}
