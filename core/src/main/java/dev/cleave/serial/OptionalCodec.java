package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Optional;

/** An {@link Optional}: its value, or null. */
final class OptionalCodec extends Serializer<Object> {

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        kryo.writeClassAndObject(output, ((Optional<?>) object).orElse(null));
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        try {
            Object value = bounded.read(kryo, bounded.expected().parts(type)[0]);
            return value instanceof Skipped ? value : Optional.ofNullable(value);
        } catch (Mismatch e) {
            throw e.at("[value]");
        }
    }
}
