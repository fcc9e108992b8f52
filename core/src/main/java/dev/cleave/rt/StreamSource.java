package dev.cleave.rt;

import dev.cleave.ref.ElementsAhead;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The source of a stream's elements, over which a second iterator can be made without a visible effect. */
public final class StreamSource {

    private final @Nullable Object holder;
    private final @Nullable Supplier<Iterator<?>> range;
    private final @Nullable Object filled;

    private StreamSource(@Nullable Object holder, @Nullable Supplier<Iterator<?>> range) {
        this(holder, range, null);
    }

    private StreamSource(@Nullable Object holder, @Nullable Supplier<Iterator<?>> range, @Nullable Object filled) {
        this.holder = holder;
        this.range = range;
        this.filled = filled;
    }

    /** Creates the source of a collection or an array. */
    public static StreamSource of(@Nullable Object holder) {
        return new StreamSource(holder, null);
    }

    /** Creates the source of a stream that a remote call has returned: the elements that have arrived, if it is of another node. */
    public static StreamSource arriving(@Nullable Object stream) {
        ElementsAhead elements = ElementsAhead.of(stream);
        return elements == null ? of(null) : new StreamSource(null, () -> elements);
    }

    /** Creates the source of a {@code forEach}: a collection, or the entries of a map. */
    public static StreamSource ofLoop(@Nullable Object holder) {
        return holder instanceof Map<?, ?> map && PlainClasses.isPlainMap(map)
                ? new StreamSource(map, () -> map.entrySet().iterator())
                : new StreamSource(holder, null);
    }

    /** The indices of the array that {@code Arrays.setAll} is called with. */
    public static StreamSource indices(@Nullable Object array) {
        return array == null ? of(null) : new StreamSource(null, range(0, Array.getLength(array)).range, array);
    }

    /** Whether an array is the one that the program fills. */
    boolean isFilled(Object array) {
        return array == filled;
    }

    /** Whether a second iterator can be made. */
    boolean isKnown() {
        return range != null || PlainClasses.isPlainToIterate(holder);
    }

    /** The numbers of {@code IntStream.range}. */
    public static StreamSource range(int from, int to) {
        return new StreamSource(null, () -> IntStream.range(from, to).iterator());
    }

    /** The numbers of {@code IntStream.rangeClosed}. */
    public static StreamSource rangeClosed(int from, int to) {
        return new StreamSource(null, () -> IntStream.rangeClosed(from, to).iterator());
    }

    /** The numbers of {@code LongStream.range}. */
    public static StreamSource range(long from, long to) {
        return new StreamSource(null, () -> LongStream.range(from, to).iterator());
    }

    /** The numbers of {@code LongStream.rangeClosed}. */
    public static StreamSource rangeClosed(long from, long to) {
        return new StreamSource(null, () -> LongStream.rangeClosed(from, to).iterator());
    }

    /** Whether the source certainly does not show a write to an object. */
    boolean isApartFrom(Object written) {
        return Rt.areApart(written, holder);
    }

    /** A new iterator, null if the collection is not of a plain class. */
    @Nullable
    Iterator<?> iterator() {
        if (range != null) {
            return range.get();
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
