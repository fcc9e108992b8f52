package dev.cleave.serial;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of classes of the program. */
final class ProgramFields {

    private ProgramFields() {}

    /** The fields of a class and of its superclasses up to the JDK's which travel: those that are not transient. */
    static List<Field> of(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        Class<?> above = type.getSuperclass();
        if (above != null && !Jdk.has(above)) {
            fields.addAll(of(above));
        }
        fields.addAll(ownOf(type));
        return fields;
    }

    /** The fields of a class alone which travel, in the order of their names. */
    static List<Field> ownOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            boolean stays = Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers());
            if (!stays && !field.isSynthetic()) {
                fields.add(field);
            }
        }
        fields.sort((a, b) -> a.getName().compareTo(b.getName()));
        return List.copyOf(fields);
    }

    /** Makes a field accessible. */
    static void open(Field field) {
        try {
            field.setAccessible(true);
        } catch (RuntimeException e) {
            throw SerialException.refused("field " + field.getDeclaringClass().getName() + "." + field.getName()
                    + " is not accessible (open its package to dev.cleave)");
        }
    }

    /** The value of an accessible field. */
    static @Nullable Object valueOf(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
