package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a map: its order if it has one, its size, its entries; an immutable map is rebuilt from them. */
final class MapCodec extends Serializer<Object> {

    private final Maker maker;
    private final Counting counting;
    private final @Nullable Function<Map<Object, Object>, Map<Object, Object>> factory;

    MapCodec(Maker maker, Counting counting, @Nullable Function<Map<Object, Object>, Map<Object, Object>> factory) {
        this.maker = maker;
        this.counting = counting;
        this.factory = factory;
    }

    /** Makes an empty map of an order for a number of entries. */
    interface Maker {
        Map<Object, Object> make(Comparator<Object> order, int size);
    }

    /** Counts the cost of putting keys into the map. */
    interface Counting {
        void count(HashWork work, Object[] keys);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Orders.write(kryo, output, object instanceof SortedMap<?, ?> sorted ? sorted.comparator() : null);
        Object[] entries = ((Map<?, ?>) object).entrySet().toArray();
        output.writeVarInt(entries.length, true);
        for (Object entry : entries) {
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) entry).getKey());
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) entry).getValue());
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a sorted map without a comparator is made with null
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape[] parts = bounded.expected().parts(type);
        Comparator<Object> order = Orders.read(kryo, bounded);
        int size = bounded.size(2);
        Map<Object, Object> map = maker.make(order, size);
        if (factory == null && !bounded.isSkipping()) {
            kryo.reference(map);
        }
        Object[] keys = new Object[size];
        Object[] values = new Object[size];
        readEntries(kryo, bounded, parts, keys, values);
        Object unknown = bounded.skipped(keys);
        if (unknown == null) {
            unknown = bounded.skipped(values);
        }
        if (unknown != null) {
            return unknown;
        }
        counting.count(bounded.work(), keys);
        for (int i = 0; i < size; i++) {
            if (keys[i] != null) {
                bounded.work().runs(keys[i].getClass());
            }
            map.put(keys[i], values[i]);
        }
        return factory == null ? map : factory.apply(map);
    }

    /** Reads keys and values of the declared types. */
    static void readEntries(
            Kryo kryo, BoundedInput input, Shape[] parts, @Nullable Object[] keys, @Nullable Object[] values) {
        int at = 0;
        try {
            for (; at < 2 * keys.length; at++) {
                if ((at & 1) == 0) {
                    keys[at >> 1] = input.read(kryo, parts[0]);
                } else {
                    values[at >> 1] = input.read(kryo, parts[1]);
                }
            }
        } catch (Mismatch e) {
            throw e.at(((at & 1) == 0 ? "[key " : "[value ") + (at >> 1) + "]");
        }
    }
}
