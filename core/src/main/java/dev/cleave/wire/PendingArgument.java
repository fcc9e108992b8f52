package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * An argument that is not in its REQUEST: the pending result of an earlier call of the same {@link Lane}, which the server
 * puts in as the bytes that it has answered.
 *
 * <p>A REQUEST with such arguments has one flag more, and carries them between its other arguments and the lane:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method | u64 deadline | argument bytes | (u32 call | u32 at)* | u8 count | u64 lane
 *   flags: bit 5 there are pending arguments
 * </pre>
 *
 * @param call which call of the lane, counted from 0 in the order in which they are sent
 * @param at how many of the argument bytes stand before the value; not descending from one to the next
 */
public record PendingArgument(int call, int at) {

    /** The most in one REQUEST. */
    public static final int MOST = 255;

    private static final int PENDING = 32;
    private static final int LENGTH = 2 * Integer.BYTES;

    /** Checks its components. */
    public PendingArgument {
        if (call < 0 || at < 0) {
            throw new IllegalArgumentException("call, at: " + call + ", " + at + " (expected: not negative)");
        }
    }

    /** Puts the arguments on a REQUEST that has no lane yet and has to be {@linkplain Header#finish finished} again. */
    public static void put(List<PendingArgument> pending, ByteBuf frame) {
        if (pending.isEmpty()) {
            return;
        }
        if (pending.size() > MOST) {
            throw new IllegalArgumentException(
                    "pending arguments: " + pending.size() + " (expected: at most " + MOST + ")");
        }
        Header.flags(frame, Header.flags(frame) | PENDING);
        for (PendingArgument each : pending) {
            frame.writeInt(each.call()).writeInt(each.at());
        }
        frame.writeByte(pending.size());
    }

    /** Says whether a complete REQUEST has any; its reader index is at the header. */
    public static boolean has(ByteBuf frame) {
        return (Header.flags(frame) & PENDING) != 0;
    }

    /**
     * Takes the arguments off a REQUEST that {@linkplain #has has} some, whose fields have been read and whose lane has been
     * {@linkplain Lane#strip stripped}: what is left to read are the bytes of the other arguments.
     */
    public static List<PendingArgument> strip(ByteBuf frame) {
        int count = frame.isReadable() ? frame.getUnsignedByte(frame.writerIndex() - 1) : 0;
        int rest = frame.readableBytes() - 1 - count * LENGTH;
        if (count == 0 || rest < 0) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "pending arguments: " + count + " in " + frame.readableBytes() + " bytes");
        }
        int begin = frame.readerIndex() + rest;
        List<PendingArgument> pending = new ArrayList<>(count);
        int last = 0;
        for (int i = 0; i < count; i++) {
            int call = frame.getInt(begin + i * LENGTH);
            int at = frame.getInt(begin + i * LENGTH + Integer.BYTES);
            if (call < 0 || at < last || at > rest) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        "pending argument: call " + call + " at " + at + " (expected: at " + last + ".." + rest + ")");
            }
            last = at;
            pending.add(new PendingArgument(call, at));
        }
        frame.writerIndex(begin);
        return pending;
    }
}
