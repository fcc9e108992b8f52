package dev.cleave.broker.verify;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Invents outcomes of the types that methods declare: always the same for calls of a method with equal arguments.
 * Invents numbers, texts, enums, records, arrays, lists and optionals of these; any other value is null. Safe for use
 * by any thread.
 */
final class Script implements Answers {

    private static final int DEPTH = 4;
    private static final int BELOW = 1000;

    private final long seed;
    private final int failing;

    /**
     * Makes a script.
     *
     * @param failing one of this many calls fails; 0 for none
     */
    Script(long seed, int failing) {
        this.seed = seed;
        this.failing = failing;
    }

    @Override
    public @Nullable Object answer(Served call, Object @Nullable [] arguments) {
        Random random = new Random(seed * 31 + call.key().hashCode());
        if (failing > 0 && random.nextInt(failing) == 0) {
            throw new IllegalStateException("scripted failure of " + call.text());
        }
        return value(call.method().method().getGenericReturnType(), random, DEPTH);
    }

    private static @Nullable Object value(Type type, Random random, int depth) {
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            Type element = generic.getActualTypeArguments()[0];
            if (raw.isAssignableFrom(ArrayList.class) && Collection.class.isAssignableFrom(raw)) {
                return list(element, random, depth);
            }
            return raw == Optional.class ? Optional.ofNullable(value(element, random, depth - 1)) : null;
        }
        return type instanceof Class<?> plain ? plainValue(plain, random, depth) : null;
    }

    private static @Nullable Object plainValue(Class<?> type, Random random, int depth) {
        if (type == int.class || type == Integer.class) {
            return random.nextInt(BELOW);
        } else if (type == long.class || type == Long.class) {
            return (long) random.nextInt(BELOW);
        } else if (type == double.class || type == Double.class) {
            return random.nextInt(BELOW) / 8.0;
        } else if (type == float.class || type == Float.class) {
            return random.nextInt(BELOW) / 8.0f;
        } else if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == short.class || type == Short.class) {
            return (short) random.nextInt(BELOW);
        } else if (type == byte.class || type == Byte.class) {
            return (byte) random.nextInt(Byte.MAX_VALUE);
        } else if (type == char.class || type == Character.class) {
            return (char) ('a' + random.nextInt(26));
        } else if (type == String.class || type == CharSequence.class || type == Object.class) {
            return "text" + random.nextInt(BELOW);
        } else if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        } else if (depth > 0 && type.isArray()) {
            return array(type.getComponentType(), random, depth);
        } else if (depth > 0 && type.isRecord()) {
            return recordOf(type, random, depth);
        }
        return null;
    }

    private static List<@Nullable Object> list(Type element, Random random, int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(5); depth > 0 && i > 0; i--) {
            list.add(value(element, random, depth - 1));
        }
        return list;
    }

    private static Object array(Class<?> element, Random random, int depth) {
        Object array = Array.newInstance(element, random.nextInt(5));
        for (int i = 0; i < Array.getLength(array); i++) {
            Array.set(array, i, plainValue(element, random, depth - 1));
        }
        return array;
    }

    private static @Nullable Object recordOf(Class<?> type, Random random, int depth) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(Arrays.stream(components)
                    .map(component -> value(component.getGenericType(), random, depth - 1))
                    .toArray());
        } catch (ReflectiveOperationException e) {
            return null; // the constructor refuses the invented values
        }
    }
}
