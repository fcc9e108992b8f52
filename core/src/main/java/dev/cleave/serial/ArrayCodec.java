package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;
import java.util.Arrays;

/** Writes an array of objects: its length, its elements. */
final class ArrayCodec extends Serializer<Object> {

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        writeElements(kryo, output, (Object[]) object);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        BoundedInput bounded = (BoundedInput) input;
        Shape element = bounded.expected().parts(type)[0];
        int size = bounded.size(1);
        if (bounded.isSkipping()) {
            Object[] read = readElements(kryo, bounded, element, new Object[size]);
            Object unknown = bounded.skipped(read);
            return unknown != null ? unknown : Arrays.copyOf(read, size, type.asSubclass(Object[].class));
        }
        Object[] array = (Object[]) Array.newInstance(type.getComponentType(), size);
        kryo.reference(array);
        return readElements(kryo, bounded, element, array);
    }

    static void writeElements(Kryo kryo, Output output, Object[] elements) {
        output.writeVarInt(elements.length, true);
        for (Object element : elements) {
            kryo.writeClassAndObject(output, element);
        }
    }

    /** Fills an array with elements of the declared type. */
    static Object[] readElements(Kryo kryo, BoundedInput input, Shape element, Object[] array) {
        int i = 0;
        try {
            for (; i < array.length; i++) {
                array[i] = input.read(kryo, element);
            }
        } catch (Mismatch e) {
            throw e.at("[" + i + "]");
        }
        return array;
    }
}
