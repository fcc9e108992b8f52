package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/** Writes an object by its fields; makes it by its constructor without parameters, or without a constructor. */
final class FieldCodec extends Serializer<Object> {

    private final FieldAccess access;
    private final @Nullable FieldMatch match;

    /** Creates the codec; it reads the fields of another version of the class by {@code match} unless that is null. */
    FieldCodec(Class<?> type, @Nullable FieldMatch match) {
        access = new FieldAccess(type);
        this.match = match;
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        try {
            access.write(kryo, output, object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape[] parts = bounded.expected().parts(type);
        bounded.work().runs(type);
        Object object = kryo.newInstance(type);
        kryo.reference(object);
        if (match != null) {
            match.read(kryo, bounded, object, parts);
            return object;
        }
        try {
            access.read(kryo, bounded, object, parts);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return object;
    }
}
