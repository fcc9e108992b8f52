package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;

/** An array of objects: its length, its elements. */
final class ArrayCodec extends Serializer<Object[]> {

    @Override
    public void write(Kryo kryo, Output output, Object[] object) {
        writeElements(kryo, output, object);
    }

    @Override
    public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> type) {
        int size = ((BoundedInput) input).size(1);
        Object[] array = (Object[]) Array.newInstance(type.getComponentType(), size);
        kryo.reference(array);
        return readElements(kryo, input, array);
    }

    static void writeElements(Kryo kryo, Output output, Object[] elements) {
        output.writeVarInt(elements.length, true);
        for (Object element : elements) {
            kryo.writeClassAndObject(output, element);
        }
    }

    /** Fills an array. */
    static Object[] readElements(Kryo kryo, Input input, Object[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = kryo.readClassAndObject(input);
        }
        return array;
    }
}
