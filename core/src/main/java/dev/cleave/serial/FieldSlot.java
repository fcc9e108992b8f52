package dev.cleave.serial;

import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place for a value of a class here.
 *
 * @param name the name by which the other side knows it
 * @param type the declared type
 * @param field the field, accessible; null if only methods of the class read and write it
 */
record FieldSlot(String name, Class<?> type, @Nullable Field field) {

    FieldSlot {
        if (field != null) {
            ProgramFields.open(field);
        }
    }

    static List<FieldSlot> of(List<Field> fields) {
        return fields.stream()
                .map(f -> new FieldSlot(f.getName(), f.getType(), f))
                .toList();
    }

    /** How its values are written. */
    ValueKind kind() {
        return ValueKind.of(type);
    }

    /** The declared type with its type arguments. */
    Shape shape() {
        return field == null ? Shapes.of(type, type) : Shapes.of(field.getGenericType(), field.getDeclaringClass());
    }

    @Nullable
    Object get(Object object) {
        return field == null ? null : ProgramFields.valueOf(field, object);
    }

    /** Stores a value if there is a field. */
    void set(Object object, @Nullable Object value) {
        if (field != null) {
            try {
                field.set(object, value);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
