package dev.cleave.serial;

import dev.cleave.Cleave;
import dev.cleave.Later;
import dev.cleave.Ref;
import dev.cleave.Remote;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The objects to which some arguments lead and whose contents can be restored, in an order that caller and server
 * compute alike: first in, first out, by the order of parameters, elements and names of fields.
 */
final class ArgumentGraph {

    private final List<Object> objects = new ArrayList<>();
    private final Map<Object, Integer> indices = new IdentityHashMap<>();
    private int outs;

    /** The parts of an object. */
    enum Form {
        /** An array of primitives. */
        ELEMENTS,
        /** Any other array. */
        ARRAY,
        /** A list: its elements are part of the graph. */
        LIST,
        /** Another collection, or a map: restored as a whole, since its order may differ between the two sides. */
        CONTAINER,
        /** An object of the program with fields. */
        FIELDS,
        /** A record: its parts are part of the graph, and it does not change. */
        RECORD,
        /** A value without parts that can change, or a reference. */
        VALUE,
        /** An object whose contents cannot be restored: an object that refers to it gets a copy. */
        OPAQUE
    }

    private static final ClassValue<Form> FORMS = new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
            return form(type);
        }
    };

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            List<Field> fields = ProgramFields.of(type);
            fields.forEach(ProgramFields::open);
            return fields.toArray(new Field[0]);
        }
    };

    /**
     * Collects the graph of some arguments.
     *
     * @param outs arrays of which only the shape counts
     * @param inOuts the others; null ones are left out
     * @throws IllegalArgumentException if an array of {@code outs} is reached in two ways
     */
    ArgumentGraph(List<@Nullable Object> outs, List<@Nullable Object> inOuts) {
        outs.forEach(this::addOut);
        this.outs = objects.size();
        inOuts.forEach(this::add);
        for (int i = this.outs; i < objects.size(); i++) {
            Object object = objects.get(i);
            Form form = formOf(object);
            if (form != Form.ELEMENTS && form != Form.CONTAINER) {
                for (Object part : contents(object)) {
                    add(part);
                }
            }
        }
    }

    private void addOut(@Nullable Object array) {
        if (array == null) {
            return;
        }
        if (indices.putIfAbsent(array, objects.size()) != null) {
            throw new IllegalArgumentException("an array of an @Out parameter is given twice (expected: once)");
        }
        objects.add(array);
        if (array.getClass().getComponentType().isArray()) {
            for (Object row : (@Nullable Object[]) array) {
                addOut(row);
            }
        }
    }

    private void add(@Nullable Object part) {
        if (part == null) {
            return;
        }
        Form form = formOf(part);
        if (form == Form.VALUE || form == Form.OPAQUE) {
            return;
        }
        Integer known = indices.putIfAbsent(part, objects.size());
        if (known == null) {
            objects.add(part);
        } else if (known < outs) {
            throw new IllegalArgumentException(
                    "an array of an @Out parameter is part of an @InOut argument, too (expected: in one place)");
        }
    }

    /** The objects, each at the place of its index. */
    List<Object> objects() {
        return objects;
    }

    /** The number of objects, the first ones, that belong to {@code @Out} parameters. */
    int outs() {
        return outs;
    }

    /** Returns the index of an object; -1 if it is not in the graph. */
    int indexOf(@Nullable Object object) {
        return object == null ? -1 : indices.getOrDefault(object, -1);
    }

    /** Returns a number that tells graphs of other shapes from this one, on either side. */
    int digest() {
        int digest = objects.size();
        for (Object object : objects) {
            Form form = formOf(object);
            int size = form == Form.FIELDS || form == Form.RECORD ? FIELDS.get(object.getClass()).length : 0;
            String name = form == Form.LIST || form == Form.CONTAINER
                    ? form.name()
                    : object.getClass().getName();
            digest = 31 * (31 * digest + name.hashCode()) + size;
        }
        return digest;
    }

    static Form formOf(Object object) {
        return FORMS.get(object.getClass());
    }

    /** Returns what an object that is not {@link Form#ELEMENTS} refers to; of a map, keys and values in turn. */
    static @Nullable Object[] contents(Object object) {
        switch (formOf(object)) {
            case ARRAY:
                return ((@Nullable Object[]) object).clone();
            case LIST, CONTAINER:
                if (object instanceof Collection<?> all) {
                    return all.toArray();
                }
                List<@Nullable Object> pairs = new ArrayList<>();
                ((Map<?, ?>) object).forEach((key, value) -> {
                    pairs.add(key);
                    pairs.add(value);
                });
                return pairs.toArray();
            case FIELDS, RECORD:
                Field[] fields = FIELDS.get(object.getClass());
                @Nullable Object[] values = new @Nullable Object[fields.length];
                for (int i = 0; i < values.length; i++) {
                    values[i] = ProgramFields.valueOf(fields[i], object);
                }
                return values;
            default:
                return new Object[0];
        }
    }

    /** Gives an object the contents that {@link #contents} would return; leaves one that cannot change as it is. */
    static void fill(Object object, @Nullable Object[] contents) {
        Form form = formOf(object);
        if (form == Form.ARRAY) {
            System.arraycopy(contents, 0, object, 0, Array.getLength(object));
        } else if (form == Form.FIELDS) {
            Field[] fields = FIELDS.get(object.getClass());
            for (int i = 0; i < fields.length; i++) {
                try {
                    fields[i].set(object, contents[i]);
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        } else if (form == Form.LIST || form == Form.CONTAINER) {
            try {
                fillContainer(object, contents);
            } catch (UnsupportedOperationException e) {
                return; // an unmodifiable one has not changed
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void fillContainer(Object object, @Nullable Object[] contents) {
        if (object instanceof Map<?, ?> map) {
            map.clear();
            for (int i = 0; i < contents.length; i += 2) {
                ((Map<@Nullable Object, @Nullable Object>) map).put(contents[i], contents[i + 1]);
            }
        } else if (object instanceof List<?> list && list.size() == contents.length) {
            for (int i = 0; i < contents.length; i++) {
                ((List<@Nullable Object>) list).set(i, contents[i]);
            }
        } else {
            ((Collection<?>) object).clear();
            for (Object each : contents) {
                ((Collection<@Nullable Object>) object).add(each);
            }
        }
    }

    private static Form form(Class<?> type) {
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? Form.ELEMENTS : Form.ARRAY;
        }
        if (isValue(type)) {
            return Form.VALUE;
        }
        if (Jdk.has(type)) {
            return List.class.isAssignableFrom(type)
                    ? Form.LIST
                    : Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
                            ? Form.CONTAINER
                            : Form.OPAQUE;
        }
        if (Throwable.class.isAssignableFrom(type)
                || Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || StreamForm.of(type) != null) {
            return Form.OPAQUE;
        }
        return type.isRecord() ? Form.RECORD : Form.FIELDS;
    }

    private static boolean isValue(Class<?> type) {
        String name = type.getName();
        return type == String.class
                || type == UUID.class
                || type == Locale.class
                || type == Currency.class
                || Enum.class.isAssignableFrom(type)
                || Number.class.isAssignableFrom(type)
                        && (name.startsWith("java.lang.") || name.startsWith("java.math."))
                || type == Boolean.class
                || type == Character.class
                || name.startsWith("java.time.")
                || type.isHidden()
                || type.isSynthetic()
                || Ref.class.isAssignableFrom(type)
                || Later.Value.class.isAssignableFrom(type)
                || Cleave.Adjustable.class.isAssignableFrom(type)
                || isRemote(type);
    }

    /** Whether objects of a class travel as references. */
    private static boolean isRemote(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (Class<?> each : above.getInterfaces()) {
                if (each.isAnnotationPresent(Remote.class) || isRemote(each)) {
                    return true;
                }
            }
        }
        return false;
    }
}
