package dev.cleave.serial;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The fields of an object that travel: the instance fields that are not transient, the fields of superclasses first, in
 * the order of their names. A class is announced with a {@link #fingerprint} of them, so that two sides with different
 * versions of a class refuse it instead of misreading its bytes.
 */
final class Layout {

    private Layout() {}

    /** The fields of a class and of its superclasses up to the JDK's. */
    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        Class<?> above = type.getSuperclass();
        if (above != null && !JdkTypes.isOfJdk(above)) {
            fields.addAll(fields(above));
        }
        Arrays.stream(type.getDeclaredFields())
                .filter(f -> !Modifier.isStatic(f.getModifiers()) && !Modifier.isTransient(f.getModifiers()))
                .filter(f -> !f.isSynthetic())
                .sorted(Comparator.comparing(Field::getName))
                .forEach(fields::add);
        return fields;
    }

    /** The name under which a class is announced: with {@code #fingerprint} unless it is the JDK's or an array. */
    static String announced(Class<?> type) {
        return type.isArray() || JdkTypes.isOfJdk(type)
                ? type.getName()
                : type.getName() + '#' + Integer.toHexString(fingerprint(type));
    }

    static int fingerprint(Class<?> type) {
        StringBuilder text = new StringBuilder();
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                text.append(((Enum<?>) constant).name()).append(';');
            }
        } else if (type.isRecord()) {
            for (var component : type.getRecordComponents()) {
                text.append(component.getName())
                        .append(':')
                        .append(component.getType().getName())
                        .append(';');
            }
        } else {
            for (Field field : fields(type)) {
                text.append(field.getName())
                        .append(':')
                        .append(field.getType().getName())
                        .append(';');
            }
        }
        CRC32 crc = new CRC32();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }
}
