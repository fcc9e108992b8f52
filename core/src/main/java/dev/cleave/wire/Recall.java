package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * RECALL: asks for the outcome of a call that was sent over a connection which has broken since. The server answers it
 * like a call, when the method has ended: by the remembered REPLY or FAILURE, or by a FAILURE with
 * {@link ErrorCode#CONNECTION_LOST} that says whether the method ran. A call that has not begun by then never will; if
 * the server never heard the name of the connection, none of its calls has begun.
 *
 * <pre>
 *   header (kind 34, id = this question) | u128 connection | u64 call
 * </pre>
 *
 * @param id the number of the question among the calls of the connection over which it is sent
 * @param connection the broken connection, as {@link Settled} has named it
 * @param call the number of the call on that connection
 */
public record Recall(long id, ConnectionName connection, long call) implements Frame {

    /** Reads a frame. */
    public static Recall read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.RECALL);
        Recall read = new Recall(in.id(), ConnectionName.read(in), in.bits64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.RECALL, 0, id),
                out -> out.bits64(connection.high()).bits64(connection.low()).bits64(call));
    }
}
