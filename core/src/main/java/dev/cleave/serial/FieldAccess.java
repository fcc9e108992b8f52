package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the fields of one class, one after the other; primitives are not boxed, and every store is checked.
 */
final class FieldAccess {

    private final Field[] fields;
    private final ValueKind[] kinds;

    FieldAccess(Class<?> type) {
        List<Field> found = ProgramFields.of(type);
        fields = found.toArray(new Field[0]);
        kinds = new ValueKind[fields.length];
        for (int i = 0; i < fields.length; i++) {
            kinds[i] = ValueKind.of(fields[i].getType());
            ProgramFields.open(fields[i]);
        }
    }

    void write(Kryo kryo, Output output, Object object) throws IllegalAccessException {
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            switch (kinds[i]) {
                case BOOLEAN -> output.writeBoolean(field.getBoolean(object));
                case BYTE -> output.writeByte(field.getByte(object));
                case CHAR -> output.writeChar(field.getChar(object));
                case SHORT -> output.writeShort(field.getShort(object));
                case INT -> output.writeVarInt(field.getInt(object), false);
                case LONG -> output.writeVarLong(field.getLong(object), false);
                case FLOAT -> output.writeFloat(field.getFloat(object));
                case DOUBLE -> output.writeDouble(field.getDouble(object));
                case STRING -> output.writeString((String) field.get(object));
                case BOOLEANS, BYTES, CHARS, SHORTS, INTS, LONGS, FLOATS, DOUBLES, OBJECT ->
                    kryo.writeClassAndObject(output, field.get(object));
            }
        }
    }

    /** Reads the fields of an object, which must have the declared types. */
    void read(Kryo kryo, BoundedInput input, Object object, Shape[] parts) throws IllegalAccessException {
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            switch (kinds[i]) {
                case BOOLEAN -> field.setBoolean(object, input.readBoolean());
                case BYTE -> field.setByte(object, input.readByte());
                case CHAR -> field.setChar(object, input.readChar());
                case SHORT -> field.setShort(object, input.readShort());
                case INT -> field.setInt(object, input.readVarInt(false));
                case LONG -> field.setLong(object, input.readVarLong(false));
                case FLOAT -> field.setFloat(object, input.readFloat());
                case DOUBLE -> field.setDouble(object, input.readDouble());
                case STRING -> field.set(object, input.readString());
                case BOOLEANS, BYTES, CHARS, SHORTS, INTS, LONGS, FLOATS, DOUBLES, OBJECT ->
                    field.set(object, part(kryo, input, parts, i));
            }
        }
    }

    /** Reads the values of the fields, in their order, without an object. */
    @Nullable
    Object[] readAll(Kryo kryo, BoundedInput input, Shape[] parts) {
        @Nullable Object[] values = new @Nullable Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            values[i] = switch (kinds[i]) {
                case BOOLEAN -> input.readBoolean();
                case BYTE -> input.readByte();
                case CHAR -> input.readChar();
                case SHORT -> input.readShort();
                case INT -> input.readVarInt(false);
                case LONG -> input.readVarLong(false);
                case FLOAT -> input.readFloat();
                case DOUBLE -> input.readDouble();
                case STRING -> input.readString();
                case BOOLEANS, BYTES, CHARS, SHORTS, INTS, LONGS, FLOATS, DOUBLES, OBJECT ->
                    part(kryo, input, parts, i);
            };
        }
        return values;
    }

    private @Nullable Object part(Kryo kryo, BoundedInput input, Shape[] parts, int index) {
        try {
            return input.read(kryo, parts[index]);
        } catch (Mismatch e) {
            throw e.at("." + fields[index].getName());
        }
    }

    /** The index of a field, by its name. */
    int indexOf(String name) {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].getName().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("field: " + name + " (expected: a field of the class)");
    }
}
