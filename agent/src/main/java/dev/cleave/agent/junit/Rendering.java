package dev.cleave.agent.junit;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Renders values as text: equal values give equal texts, whatever loader their classes come from. An object that occurs
 * again is shown by the number of its first occurrence, so that aliases are compared, too.
 */
final class Rendering {

    private final StringBuilder text = new StringBuilder();
    private final Map<Object, Integer> seen = new IdentityHashMap<>();

    private Rendering() {}

    static String of(@Nullable Object value) {
        Rendering rendering = new Rendering();
        rendering.add(value);
        return rendering.text.toString();
    }

    private void add(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof CharSequence || value instanceof Character) {
            text.append('"').append(value).append('"');
        } else if (value instanceof Enum<?> constant) {
            text.append(constant.name());
        } else if (value instanceof Class<?> type) {
            text.append(type.getName());
        } else {
            Integer known = seen.putIfAbsent(value, seen.size() + 1);
            if (known != null) {
                text.append('#').append(known);
            } else {
                addObject(value);
            }
        }
    }

    private void addObject(Object value) {
        if (value.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            addAll(elements, '[', ']');
        } else if (value instanceof Collection<?> collection) {
            addAll(value.getClass() == HashSet.class ? sorted(collection) : collection, '[', ']');
        } else if (value instanceof Map<?, ?> map) {
            List<String> entries = new ArrayList<>();
            map.forEach((key, of) -> entries.add(of(key) + "=" + of(of)));
            text.append(value.getClass() == HashMap.class ? sorted(entries) : entries);
        } else if (value instanceof Throwable failure) {
            text.append(failure.getClass().getName()).append(": ").append(failure.getMessage());
        } else if (value.getClass().getClassLoader() == null
                || value.getClass().getName().startsWith("java.")) {
            text.append(value);
        } else {
            addFields(value);
        }
    }

    /** Sorts the elements of a hash table, whose order may depend on the identity of objects. */
    private static List<String> sorted(Collection<?> elements) {
        return elements.stream().map(Rendering::of).sorted().toList();
    }

    private void addAll(Collection<?> elements, char open, char close) {
        String separator = "";
        text.append(open);
        for (Object element : elements) {
            text.append(separator);
            add(element);
            separator = ", ";
        }
        text.append(close);
    }

    private void addFields(Object value) {
        text.append(value.getClass().getSimpleName()).append('{');
        String separator = "";
        for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                text.append(separator).append(field.getName()).append('=');
                add(read(field, value));
                separator = ", ";
            }
        }
        text.append('}');
    }

    private static @Nullable Object read(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "evidence: " + field + " cannot be read (" + e + "); add a text or a number made of it instead", e);
        }
    }
}
