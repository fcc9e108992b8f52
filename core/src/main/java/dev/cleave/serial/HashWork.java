package dev.cleave.serial;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts the work of hashing and comparing before elements that have arrived are put into collections, and refuses them
 * when the bytes that came do not account for it: a few hundred bytes can say a set whose hash takes years.
 *
 * <p>Of one thread. A unit is about ten nanoseconds: one object that a hash or a comparison visits. What classes of the
 * program do in their own {@code hashCode}, {@code equals} and {@code compareTo} is not counted.
 */
final class HashWork {

    /** The units of a message whatever its size. */
    static final long BASE = 1 << 21;

    /** The units of a value within a message that comes in a group of its own. */
    static final long BASE_WITHIN = 1 << 17;

    /** The units for each byte. */
    static final int PER_BYTE = 64;

    /** The most units of a message. */
    static final long MOST = 1 << 27;

    /** The deepest nesting of what is hashed, through references too. */
    private static final int DEEPEST = 1000;

    /** The components of records whose {@code hashCode} the compiler made, which visits all of them. */
    private static final ClassValue<Field[]> HASHED = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return hashedFields(type);
        }
    };

    private long left;

    /** Begins with another message. */
    void begin(int bytes, long base) {
        left = Math.min(MOST, base + (long) PER_BYTE * bytes);
    }

    /** Counts elements that go into a hash table whose crowded buckets are trees. */
    void hashed(@Nullable Object[] elements) {
        Class<?> plain = plainClass(elements);
        if (plain != null) {
            if (plain == String.class) {
                costs(elements);
            } else {
                spend(elements.length);
            }
            return;
        }
        int[] costs = costs(elements);
        long[] ordered = new long[elements.length];
        for (int i = 0; i < elements.length; i++) {
            ordered[i] = ((long) hash(elements[i]) << Integer.SIZE) | i;
        }
        Arrays.sort(ordered);
        for (int from = 0, to; from < ordered.length; from = to) {
            to = from + 1;
            while (to < ordered.length && (ordered[to] >> Integer.SIZE) == (ordered[from] >> Integer.SIZE)) {
                to++;
            }
            if (to > from + 1 && !areOrdered(elements, ordered, from, to)) {
                for (int i = from + 1; i < to; i++) {
                    spend((long) (i - from) * costs[(int) ordered[i]]);
                }
            }
        }
    }

    /** Counts elements that go into a table of some places, where each is compared with all before it at its place. */
    void chained(@Nullable Object[] elements, int places) {
        int[] costs = costs(elements);
        int[] before = new int[places];
        for (int i = 0; i < elements.length; i++) {
            spend(step(before[(hash(elements[i]) & Integer.MAX_VALUE) % places]++, elements[i], costs[i]));
        }
    }

    /** Counts elements that go into a table of twice as many places, each to the next free one: {@code Set.of}. */
    void probed(@Nullable Object[] elements) {
        int[] costs = costs(elements);
        boolean[] taken = new boolean[2 * elements.length];
        for (int i = 0; i < elements.length; i++) {
            int place = Math.floorMod(hash(elements[i]), taken.length);
            int steps = 0;
            while (taken[place]) {
                place = place + 1 == taken.length ? 0 : place + 1;
                if ((++steps & 1023) == 0) {
                    spend(step(1024, elements[i], costs[i]));
                }
            }
            spend(step(steps & 1023, elements[i], costs[i]));
            taken[place] = true;
        }
    }

    /** Counts elements that are compared to find their places in an order. */
    void sorted(@Nullable Object[] elements) {
        int comparisons = Integer.SIZE - Integer.numberOfLeadingZeros(elements.length);
        for (Object element : elements) {
            spend(weight(element) * comparisons);
        }
    }

    /** What comparing an element with some others costs: numbers are faster than all else. */
    private static long step(int others, @Nullable Object element, int cost) {
        return element instanceof Number && cost == 1 ? (others + 7L) >> 3 : (long) others * cost;
    }

    /** Counts what visiting each element costs. */
    private int[] costs(@Nullable Object[] elements) {
        int[] costs = new int[elements.length];
        for (int i = 0; i < elements.length; i++) {
            costs[i] = (int) visit(elements[i], 0); // no more than may be spent
        }
        return costs;
    }

    private long visit(@Nullable Object object, int depth) {
        if (depth > DEEPEST) {
            throw SerialException.refused("an element of a hashed collection is nested deeper than " + DEEPEST
                    + " levels, or contains itself");
        }
        long cost = weight(object);
        spend(cost);
        if (object instanceof Record) {
            for (Field field : HASHED.get(object.getClass())) {
                cost += visit(valueOf(field, object), depth + 1);
            }
        } else if (object instanceof Optional<?> optional) {
            cost += visit(optional.orElse(null), depth + 1);
        } else if (object instanceof Collection<?> collection && isVisited(object)) {
            for (Object element : collection) {
                cost += visit(element, depth + 1);
            }
        } else if (object instanceof Map<?, ?> map && isVisited(object)) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                cost += visit(entry.getKey(), depth + 1) + visit(entry.getValue(), depth + 1);
            }
        }
        return cost;
    }

    /** What an object costs without those that it contains. */
    private static long weight(@Nullable Object object) {
        if (object instanceof CharSequence text && (object instanceof String || object instanceof StringBuilder)) {
            return 1 + (text.length() >> 6);
        }
        if (object instanceof BigInteger number) {
            return 1 + (number.bitLength() >> 5);
        }
        if (object instanceof BigDecimal number) { // comparing two may multiply them
            long words = number.unscaledValue().bitLength() >> 5;
            return 1 + words + (long) (words * Math.sqrt(words));
        }
        return object instanceof BitSet bits ? 1 + (bits.size() >> 6) : 1;
    }

    private static boolean isVisited(Object collection) {
        return !(collection instanceof ArrayDeque) && JdkTypes.isKnown(collection.getClass());
    }

    private void spend(long units) {
        left -= units;
        if (left < 0) {
            throw SerialException.refused("a collection whose elements take more work to hash or compare than "
                    + PER_BYTE + " steps for each byte of the message (send lists, or elements with other hashes)");
        }
    }

    private static int hash(@Nullable Object element) {
        return element == null ? 0 : element.hashCode();
    }

    /** The one class of all elements if they are values of the JDK that a tree of a crowded bucket can order. */
    private static @Nullable Class<?> plainClass(@Nullable Object[] elements) {
        Object first = elements.length == 0 ? null : elements[0];
        if (first == null || !JdkTypes.isPlain(first.getClass())) {
            return null;
        }
        for (Object element : elements) {
            if (element == null || element.getClass() != first.getClass()) {
                return null;
            }
        }
        return first.getClass();
    }

    /** Whether a tree can order some elements of one hash. */
    private static boolean areOrdered(@Nullable Object[] elements, long[] ordered, int from, int to) {
        Object first = elements[(int) ordered[from]];
        if (!(first instanceof Comparable)) {
            return false;
        }
        for (int i = from + 1; i < to; i++) {
            Object other = elements[(int) ordered[i]];
            if (other == null || other.getClass() != first.getClass()) {
                return false;
            }
        }
        for (Type above : first.getClass().getGenericInterfaces()) { // as java.util.HashMap asks
            if (above instanceof ParameterizedType p
                    && p.getRawType() == Comparable.class
                    && p.getActualTypeArguments()[0] == first.getClass()) {
                return true;
            }
        }
        return false;
    }

    private static Field[] hashedFields(Class<?> type) {
        List<Field> hashed = new ArrayList<>();
        try {
            if (!Modifier.isFinal(type.getDeclaredMethod("hashCode").getModifiers())) {
                return new Field[0]; // the program's own
            }
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    hashed.add(field);
                }
            }
        } catch (NoSuchMethodException | RuntimeException e) { // not open: its codec refuses it, too
            return new Field[0];
        }
        return hashed.toArray(new Field[0]);
    }

    private static @Nullable Object valueOf(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
