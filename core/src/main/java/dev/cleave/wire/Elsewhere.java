package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.OptionalLong;

/**
 * Says that a call is to go to another replica than an earlier one of the same client, which takes long: the number of that call.
 *
 * <p>It travels from a client to its broker as bit 29 of the method of a REQUEST and eight bytes at the very end; the
 * broker takes it off. Only to peers with the feature {@link Hello#HEDGES}:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method, bit 29 set | u64 deadline | all that a REQUEST may have | u64 call
 * </pre>
 */
public final class Elsewhere {

    private static final int PRESENT = 1 << 29;

    private Elsewhere() {}

    /** Puts it on a REQUEST that is complete but for it, its reader index at the header, and completes it. */
    public static void put(long call, ByteBuf frame) {
        int at = frame.readerIndex() + Header.LENGTH;
        frame.setInt(at, frame.getInt(at) | PRESENT);
        frame.writeLong(call);
        Header.finish(frame);
    }

    /** Takes it off a complete REQUEST, its reader index at the header; empty if there is none. */
    public static OptionalLong take(ByteBuf frame) {
        int at = frame.readerIndex() + Header.LENGTH;
        if (frame.readableBytes() < Request.ARGUMENTS_AT || (frame.getInt(at) & PRESENT) == 0) {
            return OptionalLong.empty();
        }
        int end = frame.writerIndex() - Long.BYTES;
        if (end < frame.readerIndex() + Request.ARGUMENTS_AT) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "REQUEST frame of " + frame.readableBytes() + " bytes that goes elsewhere");
        }
        long call = frame.getLong(end);
        frame.writerIndex(end);
        frame.setInt(at, frame.getInt(at) & ~PRESENT);
        Header.finish(frame);
        return OptionalLong.of(call);
    }
}
