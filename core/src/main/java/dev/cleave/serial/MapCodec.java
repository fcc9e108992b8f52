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

/** A map: its order if it has one, its size, its entries; an unchangeable one is rebuilt from them. */
final class MapCodec extends Serializer<Map<Object, Object>> {

    private final Function<Comparator<Object>, ? extends Map<Object, Object>> maker;
    private final @Nullable Function<Map<Object, Object>, Map<Object, Object>> factory;

    MapCodec(
            Function<Comparator<Object>, ? extends Map<Object, Object>> maker,
            @Nullable Function<Map<Object, Object>, Map<Object, Object>> factory) {
        this.maker = maker;
        this.factory = factory;
    }

    @Override
    public void write(Kryo kryo, Output output, Map<Object, Object> object) {
        Orders.write(kryo, output, object instanceof SortedMap<Object, Object> sorted ? sorted.comparator() : null);
        Object[] entries = object.entrySet().toArray();
        output.writeVarInt(entries.length, true);
        for (Object entry : entries) {
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) entry).getKey());
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) entry).getValue());
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a sorted map without a comparator is made with null
    public Map<Object, Object> read(Kryo kryo, Input input, Class<? extends Map<Object, Object>> type) {
        Map<Object, Object> map = maker.apply(Orders.read(kryo, input));
        if (factory == null) {
            kryo.reference(map);
        }
        int size = ((BoundedInput) input).size(2);
        for (int i = 0; i < size; i++) {
            Object key = kryo.readClassAndObject(input);
            map.put(key, kryo.readClassAndObject(input));
        }
        return factory == null ? map : factory.apply(map);
    }
}
