package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes an {@link EnumSet}: a constant that gives the type, whether it is in the set, then the other constants. */
final class EnumSetCodec extends Serializer<EnumSet<?>> {

    static Set<Class<?>> types() {
        Class<?> regular = EnumSet.noneOf(Thread.State.class).getClass();
        return Set.of(regular);
    }

    @Override
    public void write(Kryo kryo, Output output, EnumSet<?> object) {
        boolean empty = object.isEmpty();
        EnumSet<?> telling = empty ? EnumSet.complementOf(object) : object;
        if (telling.isEmpty()) {
            throw SerialException.refused("an EnumSet of an enum without constants");
        }
        output.writeBoolean(empty);
        ArrayCodec.writeElements(kryo, output, telling.toArray());
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // the EnumSet checks its elements itself
    public EnumSet<?> read(Kryo kryo, Input input, Class<? extends EnumSet<?>> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        boolean empty = input.readBoolean();
        Object[] read = ArrayCodec.readElements(kryo, bounded, element, new Object[bounded.size(1)]);
        EnumSet set = EnumSet.copyOf((List) Arrays.asList(read));
        return empty ? EnumSet.noneOf((Class) ((Enum<?>) read[0]).getDeclaringClass()) : set;
    }
}
