package dev.cleave.serial;

import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a class controls its serialization by the JDK: its {@code writeObject}, {@code readObject}, {@code
 * readObjectNoData} and {@code serialPersistentFields}, for each serializable class above it and itself, or {@link
 * Externalizable}. Immutable; thread-safe.
 */
final class StreamForm {

    private static final ClassValue<Optional<StreamForm>> FORMS = new ClassValue<>() {
        @Override
        protected Optional<StreamForm> computeValue(Class<?> type) {
            return Optional.ofNullable(read(type));
        }
    };

    private final Class<?> type;
    private final List<Level> levels; // superclasses first; empty if it is externalizable
    private final boolean isExternalizable;

    private StreamForm(Class<?> type, List<Level> levels, boolean isExternalizable) {
        this.type = type;
        this.levels = levels;
        this.isExternalizable = isExternalizable;
    }

    /**
     * One serializable class.
     *
     * @param type the class
     * @param writer its {@code writeObject}, or null
     * @param reader its {@code readObject}, or null
     * @param noData its {@code readObjectNoData}, or null
     * @param slots its fields
     */
    record Level(
            Class<?> type,
            @Nullable Method writer,
            @Nullable Method reader,
            @Nullable Method noData,
            List<FieldSlot> slots) {}

    /** The form of a class; null if it leaves its serialization to others. */
    static @Nullable StreamForm of(Class<?> type) {
        return FORMS.get(type).orElse(null);
    }

    boolean isExternalizable() {
        return isExternalizable;
    }

    /** The classes whose parts are written, superclasses first. */
    List<Level> own() {
        return levels;
    }

    /** The classes as they are announced. */
    List<Layout.Level> levels() {
        return levels.stream()
                .map(level -> new Layout.Level(
                        level.type().getName(),
                        level.writer() != null,
                        level.slots().stream()
                                .map(s -> new Layout.Part(s.name(), s.type().descriptorString()))
                                .toList()))
                .toList();
    }

    /** Makes an object as the JDK does: by the constructor of the first class above it that is not serializable. */
    Object make() {
        Constructor<?> maker = isExternalizable ? BareMaker.ofExternalizable(type) : BareMaker.ofSerializable(type);
        if (maker == null) {
            throw SerialException.refused(
                    type.getName() + (isExternalizable ? " has no public" : ": no class above it has a")
                            + " constructor without parameters, which the JDK's serialization needs, too");
        }
        try {
            return maker.newInstance();
        } catch (InvocationTargetException e) {
            throw new SerialException(
                    SerialException.Reason.MALFORMED, type.getName() + " is not made: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable StreamForm read(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type) || type.isRecord() || type.isEnum() || Jdk.has(type)) {
            return null; // the JDK looks for them in other serializable classes alone
        }
        if (Externalizable.class.isAssignableFrom(type)) {
            return new StreamForm(type, List.of(), true);
        }
        ArrayDeque<Level> levels = new ArrayDeque<>();
        boolean hasForm = false;
        for (Class<?> c = type; c != null && !Jdk.has(c); c = c.getSuperclass()) {
            if (Serializable.class.isAssignableFrom(c)) {
                ObjectStreamField[] declared = persistentFields(c);
                Level level = new Level(
                        c,
                        hook(c, "writeObject", ObjectOutputStream.class),
                        hook(c, "readObject", ObjectInputStream.class),
                        hook(c, "readObjectNoData"),
                        declared == null ? FieldSlot.of(ProgramFields.ownOf(c)) : slots(c, declared));
                hasForm |=
                        declared != null || level.writer() != null || level.reader() != null || level.noData() != null;
                levels.addFirst(level);
            }
        }
        return hasForm ? new StreamForm(type, List.copyOf(levels), false) : null;
    }

    private static List<FieldSlot> slots(Class<?> type, ObjectStreamField[] declared) {
        List<FieldSlot> slots = new ArrayList<>();
        for (ObjectStreamField each : declared) {
            slots.add(new FieldSlot(each.getName(), each.getType(), field(type, each)));
        }
        return slots;
    }

    private static @Nullable Field field(Class<?> type, ObjectStreamField declared) {
        try {
            Field field = type.getDeclaredField(declared.getName());
            return field.getType() == declared.getType() && !Modifier.isStatic(field.getModifiers()) ? field : null;
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static ObjectStreamField @Nullable [] persistentFields(Class<?> type) {
        try {
            Field fields = type.getDeclaredField("serialPersistentFields");
            int wanted = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
            if ((fields.getModifiers() & wanted) != wanted) {
                return null;
            }
            fields.setAccessible(true);
            return (ObjectStreamField[]) fields.get(null);
        } catch (NoSuchFieldException | ClassCastException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Method hook(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getDeclaredMethod(name, parameters);
            int modifiers = method.getModifiers();
            if (!Modifier.isPrivate(modifiers)
                    || Modifier.isStatic(modifiers)
                    || method.getReturnType() != void.class) {
                return null;
            }
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
