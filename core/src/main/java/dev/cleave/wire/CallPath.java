package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * What waits for a call: the numbers of the calls, of anybody, that objects which serve one request at a time have made and
 * wait for, and that led to this one. A call that comes to such an object while that waits for one of them can never begin.
 *
 * <p>It travels as a flag in the header of a REQUEST and behind the arguments and {@link PendingArgument}s, in front of the {@link Lane}:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method | u64 deadline | argument bytes | pending arguments | count x u64 number | u8 count | lane
 *   flags: bit 6 there is a path
 * </pre>
 */
public final class CallPath {

    /** The most numbers of a path; calls that are nested deeper carry the outermost ones. */
    public static final int MOST = 64;

    /** The most bytes that a path adds to a REQUEST. */
    public static final int MOST_BYTES = MOST * Long.BYTES + 1;

    /** Nothing waits that could be waited for. */
    public static final CallPath NONE = new CallPath(new long[0]);

    private static final int PRESENT = 64;

    private final long[] numbers;

    private CallPath(long[] numbers) {
        this.numbers = numbers;
    }

    /** The path of these calls, from the outermost on. */
    public static CallPath of(long[] numbers) {
        return numbers.length == 0 ? NONE : new CallPath(Arrays.copyOf(numbers, Math.min(numbers.length, MOST)));
    }

    /** Takes the path off a REQUEST whose lane is taken off, its reader index at the arguments. */
    public static CallPath take(ByteBuf frame, int flags) {
        if ((flags & PRESENT) == 0) {
            return NONE;
        }
        int end = frame.writerIndex();
        int count = frame.isReadable() ? frame.getUnsignedByte(end - 1) : MOST + 1;
        if (count > MOST || frame.readableBytes() < 1 + count * Long.BYTES) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "REQUEST frame with a path of " + count + " calls (expected: at most " + MOST + ")");
        }
        long[] numbers = new long[count];
        int at = end - 1 - count * Long.BYTES;
        for (int i = 0; i < count; i++) {
            numbers[i] = frame.getLong(at + i * Long.BYTES);
        }
        frame.writerIndex(at);
        return new CallPath(numbers);
    }

    /** The flags of a complete REQUEST, its reader index at the header. */
    public static int flags(ByteBuf frame) {
        return Header.flags(frame);
    }

    /** Puts the path on a REQUEST without lane, which has to be {@linkplain Header#finish finished} again. */
    public void put(ByteBuf frame) {
        if (numbers.length == 0) {
            return;
        }
        Header.flags(frame, Header.flags(frame) | PRESENT);
        for (long number : numbers) {
            frame.writeLong(number);
        }
        frame.writeByte(numbers.length);
    }

    /** This, and one more call. */
    public CallPath and(long number) {
        if (numbers.length >= MOST) {
            return this;
        }
        long[] more = Arrays.copyOf(numbers, numbers.length + 1);
        more[numbers.length] = number;
        return new CallPath(more);
    }

    /** Whether a call is on the path. */
    public boolean contains(long number) {
        for (long known : numbers) {
            if (known == number) {
                return true;
            }
        }
        return false;
    }

    /** The numbers, from the outermost on. */
    public long[] numbers() {
        return numbers.clone();
    }
}
