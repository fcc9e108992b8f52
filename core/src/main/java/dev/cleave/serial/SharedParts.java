package dev.cleave.serial;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Objects to which a message refers twice under different declared types. Their parts are checked against the second
 * type when all of the message has been read, since the objects may be incomplete until then. Used by one thread.
 */
final class SharedParts {

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            List<Field> fields = ProgramFields.of(type);
            fields.forEach(f -> f.setAccessible(true));
            return fields.toArray(new Field[0]);
        }
    };

    private final Map<Object, List<Shape>> seen = new IdentityHashMap<>();
    private final ArrayDeque<Seen> left = new ArrayDeque<>();

    private record Seen(Object object, Shape declared) {}

    /** Forgets all objects. */
    void clear() {
        if (!seen.isEmpty()) {
            seen.clear();
            left.clear();
        }
    }

    /** Adds a further declared type of an object, whose class has been checked. */
    void add(Object object, Shape declared) {
        List<Shape> before = seen.computeIfAbsent(object, o -> new ArrayList<>(1));
        if (!before.contains(declared)) {
            before.add(declared);
            left.add(new Seen(object, declared));
        }
    }

    /** Checks the parts of all objects; each step counts as work. */
    void check(HashWork work, Predicate<Class<?>> allowed) {
        for (Seen next = left.poll(); next != null; next = left.poll()) {
            Class<?> type = next.object().getClass();
            // objects that arrived as references are not checked
            if (allowed.test(type) && !(next.object() instanceof Enum)) {
                Shape[] parts = next.declared().parts(type);
                try {
                    parts(next.object(), parts, work);
                } catch (Mismatch e) {
                    throw e.at("an object that is referred to twice");
                }
            }
        }
    }

    private void parts(Object object, Shape[] parts, HashWork work) {
        if (object instanceof Object[] array) {
            for (Object element : array) {
                part(element, parts[0], work);
            }
        } else if (object instanceof Collection<?> collection) {
            for (Object element : collection) {
                part(element, parts[0], work);
            }
        } else if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                part(key, parts[0], work);
                part(value, parts[1], work);
            });
        } else if (object instanceof Optional<?> optional) {
            part(optional.orElse(null), parts[0], work);
        } else if (object instanceof Map.Entry<?, ?> entry && Jdk.has(object.getClass())) {
            part(entry.getKey(), parts[0], work);
            part(entry.getValue(), parts[1], work);
        } else if (object instanceof AtomicReference<?> cell) {
            part(cell.get(), parts[0], work);
        } else if (parts.length > 0) {
            Field[] fields = FIELDS.get(object.getClass());
            for (int i = 0; i < fields.length; i++) {
                if (!fields[i].getType().isPrimitive()) {
                    part(ProgramFields.valueOf(fields[i], object), parts[i], work);
                }
            }
        }
    }

    private void part(@Nullable Object part, Shape declared, HashWork work) {
        work.spend(1);
        declared.check(part);
        if (part != null && !declared.isPlain()) {
            add(part, declared);
        }
    }
}
