package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.function.Function;

/** Writes a mutable collection: its order if it has one, its size, its elements. */
final class CollectionCodec extends Serializer<Collection<Object>> {

    private final Function<Comparator<Object>, ? extends Collection<Object>> maker;
    private final Filling filling;

    CollectionCodec(Function<Comparator<Object>, ? extends Collection<Object>> maker, Filling filling) {
        this.maker = maker;
        this.filling = filling;
    }

    /** The work of adding an element. */
    enum Filling {
        /** It is appended. */
        EACH,
        /** It is appended, and all that are there are copied. */
        TOGETHER,
        /** It is hashed. */
        HASHED,
        /** It is compared. */
        SORTED
    }

    @Override
    public void write(Kryo kryo, Output output, Collection<Object> object) {
        Orders.write(kryo, output, object instanceof SortedSet<Object> sorted ? sorted.comparator() : null);
        Object[] elements = object.toArray();
        output.writeVarInt(elements.length, true);
        for (Object element : elements) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a sorted set without a comparator is made with null
    public Collection<Object> read(Kryo kryo, Input input, Class<? extends Collection<Object>> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        Collection<Object> collection = maker.apply(Orders.read(kryo, bounded));
        kryo.reference(collection);
        int size = bounded.size(1);
        if (filling == Filling.EACH) {
            readEach(kryo, bounded, element, size, collection);
            return collection;
        }
        Object[] elements = ArrayCodec.readElements(kryo, bounded, element, new Object[size]);
        if (filling == Filling.TOGETHER) {
            collection.addAll(Arrays.asList(elements));
            return collection;
        }
        HashWork work = bounded.work();
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
        return collection;
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
