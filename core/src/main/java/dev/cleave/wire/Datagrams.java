package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * DATAGRAMS: frames may also come by datagrams. The first frame of who dials; the answer comes when the other side is ready,
 * and from it on both count the frames of the stream. Of the transport: handlers of frames never see it.
 *
 * <pre>
 *   header (kind 37, id = key) | u16 port
 * </pre>
 *
 * @param key stands in each datagram, both ways
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
