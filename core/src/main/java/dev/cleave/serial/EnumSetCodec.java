package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Writes an {@link EnumSet}: the enum, then the constants. */
final class EnumSetCodec extends Serializer<Object> {

    static Set<Class<?>> types() {
        Class<?> regular = EnumSet.noneOf(Thread.State.class).getClass();
        Class<?> jumbo = EnumSet.noneOf(Character.UnicodeScript.class).getClass();
        return Set.of(regular, jumbo);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        EnumSet<?> set = (EnumSet<?>) object;
        EnumSet<?> telling = set.isEmpty() ? EnumSet.complementOf(set) : set;
        if (telling.isEmpty()) {
            throw SerialException.refused("an EnumSet of an enum without constants");
        }
        kryo.writeClass(output, telling.iterator().next().getDeclaringClass());
        ArrayCodec.writeElements(kryo, output, set.toArray());
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // the EnumSet checks its elements itself
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        Class<?> of = constants(kryo, bounded, element, "[0]");
        Object[] read = ArrayCodec.readElements(kryo, bounded, element, new Object[bounded.size(1)]);
        Object unknown = bounded.skipped(read);
        if (unknown != null) {
            return unknown;
        }
        EnumSet set = EnumSet.noneOf((Class) of);
        set.addAll(Arrays.asList(read));
        return set;
    }

    /** Reads the enum of a set or map; {@code place} is that of its first constant, for messages. */
    static Class<?> constants(Kryo kryo, BoundedInput input, Shape declared, String place) {
        Registration read = kryo.readClass(input);
        if (read == null || !read.getType().isEnum()) {
            throw SerialException.malformed("type of enum constants: "
                    + (read == null ? null : read.getType().getName()) + " (expected: an enum)");
        }
        if (!input.isSkipping() && !declared.type().isAssignableFrom(read.getType())) {
            throw new Mismatch(read.getType(), declared).at(place);
        }
        return read.getType();
    }
}
