package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes an {@link EnumMap}: the enum, then the entries. */
final class EnumMapCodec extends Serializer<Object> {

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Map<?, ?> map = (Map<?, ?>) object;
        kryo.writeClass(output, keyType(map));
        output.writeVarInt(map.size(), true);
        map.forEach((key, value) -> {
            kryo.writeClassAndObject(output, key);
            kryo.writeClassAndObject(output, value);
        });
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"}) // values may be null
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape[] parts = bounded.expected().parts(type);
        Class<?> keyType = EnumSetCodec.constants(kryo, bounded, parts[0], "[key 0]");
        int size = bounded.size(2);
        @Nullable Object[] keys = new @Nullable Object[size];
        @Nullable Object[] values = new @Nullable Object[size];
        MapCodec.readEntries(kryo, bounded, parts, keys, values);
        Object unknown = bounded.skipped(keys);
        if (unknown == null) {
            unknown = bounded.skipped(values);
        }
        if (unknown != null) {
            return unknown;
        }
        EnumMap map = new EnumMap(keyType);
        for (int i = 0; i < size; i++) {
            if (!keyType.isInstance(keys[i])) {
                throw SerialException.malformed("key of a java.util.EnumMap (expected: an enum constant)");
            }
            map.put((Enum) keys[i], values[i]);
        }
        return map;
    }

    private static Class<?> keyType(Map<?, ?> map) {
        if (!map.isEmpty()) {
            return ((Enum<?>) map.keySet().iterator().next()).getDeclaringClass();
        }
        try (Probe probe = new Probe()) { // an empty map tells its key type to the JDK's serialization alone
            probe.writeObject(map);
            return requireNonNull(probe.found);
        } catch (IOException e) {
            throw SerialException.refused("an empty java.util.EnumMap: " + e);
        }
    }

    /** Finds the enum that an object names. */
    private static final class Probe extends ObjectOutputStream {

        private @Nullable Class<?> found;

        Probe() throws IOException {
            super(OutputStream.nullOutputStream());
        }

        @Override
        protected void annotateClass(Class<?> type) {
            if (type.isEnum()) {
                found = type;
            }
        }
    }
}
