package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a mutable collection: its order if it has one, its size, its elements. A wrapper of a collection is written as
 * the collection, and wrapped again.
 */
final class CollectionCodec extends Serializer<Object> {

    private final Function<Comparator<Object>, ? extends Collection<Object>> maker;
    private final Filling filling;
    private final @Nullable UnaryOperator<Collection<Object>> wrapper;

    CollectionCodec(Function<Comparator<Object>, ? extends Collection<Object>> maker, Filling filling) {
        this(maker, filling, null);
    }

    /** Creates the codec of collections that {@code wrapper} makes of others. */
    CollectionCodec(
            Function<Comparator<Object>, ? extends Collection<Object>> maker,
            Filling filling,
            @Nullable UnaryOperator<Collection<Object>> wrapper) {
        this.maker = maker;
        this.filling = filling;
        this.wrapper = wrapper;
    }

    /** The work of adding an element. */
    enum Filling {
        /** It is appended. */
        EACH,
        /** It is appended, and all that are there are copied. */
        TOGETHER,
        /** It is appended unless it is equal to one before it, with which it is compared, and all are copied. */
        COMPARED,
        /** It is hashed. */
        HASHED,
        /** It is compared. */
        SORTED
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Orders.write(kryo, output, order(object));
        Object[] elements = ((Collection<?>) object).toArray();
        if (object instanceof BlockingQueue<?> queue
                && queue.remainingCapacity() < Integer.MAX_VALUE - elements.length) {
            throw SerialException.refused(object.getClass().getName() + " with a bound (expected: none)");
        }
        output.writeVarInt(elements.length, true);
        for (Object element : elements) {
            kryo.writeClassAndObject(output, element);
        }
    }

    private static @Nullable Comparator<?> order(Object object) {
        if (object instanceof PriorityQueue<?> queue) {
            return queue.comparator();
        }
        if (object instanceof PriorityBlockingQueue<?> queue) {
            return queue.comparator();
        }
        return object instanceof SortedSet<?> sorted ? sorted.comparator() : null;
    }

    @Override
    @SuppressWarnings("NullAway") // a sorted set without a comparator is made with null
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        Comparator<Object> order = Orders.read(kryo, bounded);
        if (bounded.isSkipping()) {
            Object[] elements = ArrayCodec.readElements(kryo, bounded, element, new Object[bounded.size(1)]);
            Object unknown = bounded.skipped(elements);
            return unknown != null ? unknown : filled(maker.apply(order), bounded, elements);
        }
        Collection<Object> collection = maker.apply(order);
        if (wrapper == null) {
            kryo.reference(collection);
        }
        int size = bounded.size(1);
        if (filling == Filling.EACH) {
            readEach(kryo, bounded, element, size, collection);
            return wrapper == null ? collection : wrapper.apply(collection);
        }
        return filled(collection, bounded, ArrayCodec.readElements(kryo, bounded, element, new Object[size]));
    }

    private Collection<Object> filled(Collection<Object> collection, BoundedInput input, Object[] elements) {
        HashWork work = input.work();
        switch (filling) {
            case EACH, TOGETHER -> collection.addAll(Arrays.asList(elements));
            case COMPARED -> {
                work.chained(elements, 1);
                collection.addAll(Arrays.asList(elements));
            }
            case HASHED, SORTED -> {
                if (filling == Filling.HASHED) {
                    work.hashed(elements);
                } else {
                    work.sorted(elements);
                }
                for (Object each : elements) {
                    if (each != null) {
                        work.runs(each.getClass());
                    }
                    collection.add(each);
                }
            }
        }
        return wrapper == null ? collection : wrapper.apply(collection);
    }

    @SuppressWarnings("NullAway") // elements may be null
    private static void readEach(
            Kryo kryo, BoundedInput input, Shape element, int size, Collection<Object> collection) {
        int i = 0;
        try {
            for (; i < size; i++) {
                collection.add(input.read(kryo, element));
            }
        } catch (Mismatch e) {
            throw e.at("[" + i + "]");
        }
    }
}
