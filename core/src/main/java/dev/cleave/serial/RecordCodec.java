package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes a record by its components; makes it by its canonical constructor, which checks received values as well. */
final class RecordCodec extends Serializer<Object> {

    private final FieldAccess access;
    private final Constructor<?> constructor;
    private final int[] places;
    private final @Nullable FieldMatch match;

    /** Creates the codec; it reads the fields of another version of the class by {@code match} unless that is null. */
    RecordCodec(Class<?> type, @Nullable FieldMatch match) {
        access = new FieldAccess(type);
        this.match = match;
        RecordComponent[] components = type.getRecordComponents();
        try {
            constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        places = Arrays.stream(components)
                .mapToInt(c -> access.indexOf(c.getName()))
                .toArray();
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
        @Nullable
        Object[] values = match == null ? access.readAll(kryo, bounded, parts) : match.readAll(kryo, bounded, parts);
        @Nullable Object[] arguments = new @Nullable Object[places.length];
        for (int i = 0; i < places.length; i++) {
            arguments[i] = values[places[i]];
        }
        bounded.work().runs(type);
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new SerialException(
                    SerialException.Reason.MALFORMED,
                    "record " + type.getName() + " refuses its components: " + e.getCause(),
                    e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
