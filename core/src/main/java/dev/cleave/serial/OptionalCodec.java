package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Optional;

/** An {@link Optional}: its value, or null. */
final class OptionalCodec extends Serializer<Optional<?>> {

    @Override
    public void write(Kryo kryo, Output output, Optional<?> object) {
        kryo.writeClassAndObject(output, object.orElse(null));
    }

    @Override
    public Optional<?> read(Kryo kryo, Input input, Class<? extends Optional<?>> type) {
        BoundedInput bounded = (BoundedInput) input;
        try {
            return Optional.ofNullable(bounded.read(kryo, bounded.expected().parts(type)[0]));
        } catch (Mismatch e) {
            throw e.at("[value]");
        }
    }
}
