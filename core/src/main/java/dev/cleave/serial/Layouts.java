package dev.cleave.serial;

import dev.cleave.SameVersion;
import dev.cleave.ValueCodec;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** Makes the {@link Layout}s of the classes here. */
final class Layouts {

    private static final int MOST_CHARS = 16 << 10;

    private static final ClassValue<String> ANNOUNCED = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return announce(type);
        }
    };

    private Layouts() {}

    /** The layout of classes that a codec of the program writes. */
    static Layout of(ValueCodec<?> codec) {
        return new Layout(Layout.CODEC, true, "", List.of(), List.of(codec.format()));
    }

    /** The text with which a class is announced: its name, and its layout unless it is the JDK's or an array. */
    static String announced(Class<?> type) {
        return ANNOUNCED.get(type);
    }

    private static String announce(Class<?> type) {
        if (type.isArray() || Jdk.has(type) && !type.isEnum()) {
            return type.getName();
        }
        String text = of(type).text();
        if (text.length() > MOST_CHARS) {
            CRC32 sum = new CRC32();
            sum.update(text.getBytes(StandardCharsets.UTF_8));
            text = Layout.HASHED + ";" + text.length() + '-' + Long.toHexString(sum.getValue()) + ';';
        }
        return type.getName() + '#' + text;
    }

    /** The layout of a class here. */
    static Layout of(Class<?> type) {
        boolean isExact = type.isAnnotationPresent(SameVersion.class);
        if (type.isEnum()) {
            List<String> names = Arrays.stream(type.getEnumConstants())
                    .map(c -> ((Enum<?>) c).name())
                    .toList();
            return new Layout(Layout.ENUM, isExact, "", List.of(), names);
        }
        boolean isThrowable = Throwable.class.isAssignableFrom(type);
        StreamForm form = StreamForm.of(type);
        if (form != null) {
            char kind =
                    isThrowable ? Layout.THROWABLE : form.isExternalizable() ? Layout.EXTERNALIZABLE : Layout.STREAM;
            return new Layout(kind, isExact, version(type), form.levels(), List.of());
        }
        List<Layout.Part> parts = ProgramFields.of(type).stream()
                .map(f -> new Layout.Part(f.getName(), f.getType().descriptorString()))
                .toList();
        char kind = type.isRecord() ? Layout.RECORD : isThrowable ? Layout.THROWABLE : Layout.CLASS;
        return new Layout(kind, isExact, version(type), List.of(new Layout.Level("", false, parts)), List.of());
    }

    /** The version of a class that says that versions with other numbers do not understand it; records have none. */
    private static String version(Class<?> type) {
        if (type.isRecord() || !Serializable.class.isAssignableFrom(type)) {
            return "";
        }
        try {
            Field version = type.getDeclaredField("serialVersionUID");
            if (!Modifier.isStatic(version.getModifiers()) || version.getType() != long.class) {
                return "";
            }
            version.setAccessible(true);
            return Long.toString(version.getLong(null));
        } catch (ReflectiveOperationException | RuntimeException e) { // none, or its package is not open
            return "";
        }
    }
}
