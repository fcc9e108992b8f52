package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The calls that wait for a call: the numbers of the calls, on any node, that serial objects have made and wait for,
 * and that led to this one. A call that returns to such an object while the object waits for one of them can never
 * begin.
 */
public final class CallPath {

    /** The most numbers of a path; calls that are nested deeper carry the outermost ones. */
    public static final int MOST = 64;

    /** The path of a call for which no serial object waits. */
    public static final CallPath NONE = new CallPath(new long[0]);

    private final long[] numbers;

    private CallPath(long[] numbers) {
        this.numbers = numbers;
    }

    /** The path of these calls, from the outermost on. */
    public static CallPath of(long[] numbers) {
        return numbers.length == 0 ? NONE : new CallPath(Arrays.copyOf(numbers, Math.min(numbers.length, MOST)));
    }

    /** Reads a path of {@code count} calls, whose bytes are there. */
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

    /** The number of calls on the path. */
    int size() {
        return numbers.length;
    }

    /** Whether no call is on the path. */
    public boolean isEmpty() {
        return numbers.length == 0;
    }

    /** Returns this path with one more call at its end. */
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
