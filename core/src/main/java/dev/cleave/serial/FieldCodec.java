package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Writes an object by its fields; makes it by its constructor without parameters, or without a constructor. */
final class FieldCodec extends Serializer<Object> {

    private final FieldAccess access;

    FieldCodec(Class<?> type) {
        access = new FieldAccess(type);
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
        try {
            access.read(kryo, bounded, object, parts);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return object;
    }
}
