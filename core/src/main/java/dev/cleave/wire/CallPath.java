package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * What waits for a call: the numbers of the calls, of anybody, that objects which serve one request at a time have made and
 * wait for, and that led to this one. A call that comes to such an object while that waits for one of them can never begin.
 */
public final class CallPath {

    /** The most numbers of a path; calls that are nested deeper carry the outermost ones. */
    public static final int MOST = 64;

    /** Nothing waits that could be waited for. */
    public static final CallPath NONE = new CallPath(new long[0]);

    private final long[] numbers;

    private CallPath(long[] numbers) {
        this.numbers = numbers;
    }

    /** The path of these calls, from the outermost on. */
    public static CallPath of(long[] numbers) {
        return numbers.length == 0 ? NONE : new CallPath(Arrays.copyOf(numbers, Math.min(numbers.length, MOST)));
    }

    /** Reads a path of so many calls, whose bytes are there. */
    static CallPath read(ByteBuf frame, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = frame.readLong();
        }
        return new CallPath(numbers);
    }

    /** Writes the numbers. */
    void write(ByteBuf out) {
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    /** How many calls wait. */
    int size() {
        return numbers.length;
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return numbers.length == 0;
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

    @Override
    public boolean equals(Object other) {
        return other instanceof CallPath path && Arrays.equals(path.numbers, numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }

    @Override
    public String toString() {
        return "CallPath" + Arrays.toString(numbers);
    }
}
