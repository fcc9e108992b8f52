package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Writes an immutable collection: its elements, from which a factory makes it again. */
final class RebuiltCodec extends Serializer<Object> {

    private final BiFunction<HashWork, Object[], Collection<?>> factory;

    RebuiltCodec(Function<Object[], Collection<?>> factory) {
        this((work, array) -> factory.apply(array));
    }

    /** Creates the codec for a factory that hashes or compares elements. */
    RebuiltCodec(BiFunction<HashWork, Object[], Collection<?>> factory) {
        this.factory = factory;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        ArrayCodec.writeElements(kryo, output, ((Collection<?>) object).toArray());
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        int size = bounded.size(1);
        Object[] elements = ArrayCodec.readElements(kryo, bounded, element, new Object[size]);
        Object unknown = bounded.skipped(elements);
        return unknown != null ? unknown : factory.apply(bounded.work(), elements);
    }
}
