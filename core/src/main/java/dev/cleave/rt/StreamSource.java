package dev.cleave.rt;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a stream takes its elements from: a second iterator over it can be made without anybody noticing. */
public final class StreamSource {

    private final @Nullable Object holder;
    private final int from;
    private final int to;

    private StreamSource(@Nullable Object holder, int from, int to) {
        this.holder = holder;
        this.from = from;
        this.to = to;
    }

    /** A collection, or an array. */
    public static StreamSource of(@Nullable Object holder) {
        return new StreamSource(holder, 0, 0);
    }

    /** The numbers of {@code IntStream.range}. */
    public static StreamSource range(int from, int to) {
        return new StreamSource(null, from, to);
    }

    /** The numbers of {@code IntStream.rangeClosed}; none if they would not fit. */
    public static StreamSource rangeClosed(int from, int to) {
        return new StreamSource(null, from, to == Integer.MAX_VALUE ? from : to + 1);
    }

    /** Whether writing to an object can certainly not be seen here. */
    boolean isApartFrom(Object written) {
        return Rt.areApart(written, holder);
    }

    /** A new iterator, null if the collection is not of a plain class. */
    @Nullable
    Iterator<?> iterator() {
        if (holder == null) {
            return IntStream.range(from, to).iterator();
        }
        if (holder instanceof Collection<?>) {
            return Rt.iterator(holder);
        }
        if (holder instanceof int[] ints) {
            return Arrays.stream(ints).iterator();
        }
        if (holder instanceof long[] longs) {
            return Arrays.stream(longs).iterator();
        }
        if (holder instanceof double[] doubles) {
            return Arrays.stream(doubles).iterator();
        }
        return holder instanceof Object[] objects ? Arrays.asList(objects).iterator() : null;
    }
}
