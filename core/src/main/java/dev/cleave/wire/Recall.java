package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * RECALL: asks for the outcome of a call that was sent over a connection which has broken since. It is answered like a call, when
 * the method has come to its end: by the REPLY or FAILURE that was remembered, or by a FAILURE with {@link
 * ErrorCode#CONNECTION_LOST} that says whether the method ran. A call that has not begun by now never will; if no connection of
 * that name was heard of, none of its calls has.
 *
 * <pre>
 *   header (kind 34, id = this question) | u128 connection | u64 call
 * </pre>
 *
 * @param id the number of the question among the calls of the connection that it is sent over
 * @param connection the one that broke, as {@link Settled} has named it
 * @param call the number of the call there
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
