package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes an {@link EnumMap} with at least one entry; an empty map does not reveal its key type and is refused. */
final class EnumMapCodec extends Serializer<Map<?, ?>> {

    @Override
    public void write(Kryo kryo, Output output, Map<?, ?> object) {
        if (object.isEmpty()) {
            throw SerialException.refused("an empty java.util.EnumMap (expected: at least one entry, or another map)");
        }
        output.writeVarInt(object.size(), true);
        object.forEach((key, value) -> {
            kryo.writeClassAndObject(output, key);
            kryo.writeClassAndObject(output, value);
        });
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // the EnumMap checks its keys itself
    public Map<?, ?> read(Kryo kryo, Input input, Class<? extends Map<?, ?>> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape[] parts = bounded.expected().parts(type);
        int size = bounded.size(2);
        @Nullable Object[] keys = new @Nullable Object[size];
        @Nullable Object[] values = new @Nullable Object[size];
        MapCodec.readEntries(kryo, bounded, parts, keys, values);
        Map<Object, Object> read = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Object key = keys[i];
            if (!(key instanceof Enum)) {
                throw SerialException.malformed("key of a java.util.EnumMap (expected: an enum constant)");
            }
            read.put(key, values[i]);
        }
        return new EnumMap((Map) read);
    }
}
