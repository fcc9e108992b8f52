package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * SETTLED: the caller has the outcomes of all calls of this connection with lower numbers, and will not {@link Recall}
 * them. The first SETTLED is sent when the connection has opened, before any call, and gives the connection the secret
 * name under which its calls can be recalled over another one. Sent only by the side that has dialled, to peers with
 * the feature {@link Hello#REMEMBERS}.
 *
 * <pre>
 *   header (kind 33, id = mark) | u128 connection
 * </pre>
 *
 * @param mark the lowest number of a call that has no outcome yet
 * @param connection the name that its caller has drawn for it
 */
public record Settled(long mark, ConnectionName connection) implements Frame {

    /** The length of a frame. */
    public static final int BYTES = Header.LENGTH + ConnectionName.BYTES;

    /** Writes a frame to a buffer, whose contents it replaces, without creating objects. */
    public static void write(ByteBuf frame, long mark, ConnectionName connection) {
        frame.clear();
        Header.begin(frame, FrameKind.SETTLED, 0, mark);
        frame.writeLong(connection.high()).writeLong(connection.low());
        Header.finish(frame);
    }

    /** Reads a frame. */
    public static Settled read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.SETTLED);
        Settled read = new Settled(in.id(), ConnectionName.read(in));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = allocator.buffer(BYTES);
        write(frame, mark, connection);
        return frame;
    }
}
