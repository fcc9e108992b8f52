package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Collection;
import java.util.function.Function;

/** An unchangeable collection: its elements, from which a factory makes it again. */
final class RebuiltCodec extends Serializer<Collection<?>> {

    private final Function<Object[], Collection<?>> factory;

    RebuiltCodec(Function<Object[], Collection<?>> factory) {
        this.factory = factory;
    }

    @Override
    public void write(Kryo kryo, Output output, Collection<?> object) {
        ArrayCodec.writeElements(kryo, output, object.toArray());
    }

    @Override
    public Collection<?> read(Kryo kryo, Input input, Class<? extends Collection<?>> type) {
        int size = ((BoundedInput) input).size(1);
        return factory.apply(ArrayCodec.readElements(kryo, input, new Object[size]));
    }
}
