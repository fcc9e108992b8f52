package dev.cleave.serial;

import dev.cleave.serial.OwnState.Asked;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts the work of hashing and comparing before received elements are put into collections, and refuses them when the
 * work is out of proportion to their bytes: a few hundred bytes can describe a set whose hash takes years.
 *
 * <p>Used by one thread. A unit is about ten nanoseconds: one visit of a hash or a comparison to an object.
 * {@code hashCode}, {@code equals} and {@code compareTo} of the program count by the contents of the fields which
 * {@link OwnState their code walks through}; their other work, and that of comparators of the program, does not count.
 */
final class HashWork {

    /** The units of a message independent of its size. */
    static final long BASE = 1 << 21;

    /** The units of a streamed value of a message, independent of its size. */
    static final long BASE_WITHIN = 1 << 17;

    /** The system property that sets the units for each byte, 1 to 65536; 64 unless it is given. */
    static final String PROPERTY = "cleave.decode.steps";

    /** The units for each byte. */
    static final int PER_BYTE = Math.max(1, Math.min(1 << 16, Integer.getInteger(PROPERTY, 64)));

    /** The most units of a message. */
    static final long MOST = (1L << 21) * Math.max(64, PER_BYTE);

    /** The units of a collection without its elements: it is walked through by an iterator, over a table of more places than elements. */
    private static final int COLLECTION = 8;

    /** The deepest nesting of hashed objects, also through references. */
    private static final int DEEPEST = 1000;

    /** The number of steps between two checks of the clock. */
    private static final int STEPS_BETWEEN = 64;

    /** The steps for which an object counts that runs code of the program. */
    private static final int STEPS_OF_PROGRAM = 16;

    private static final Field[] NONE = {};

    private final Predicate<Class<?>> allowed;
    private final Predicate<Class<?>> known;
    private long left;
    private TimeLimit limit = TimeLimit.NONE;
    private long steps = STEPS_BETWEEN; // steps until the next check of the clock

    /**
     * Creates the counter for objects of the classes that may travel; other objects arrive as references, and their
     * state is not counted.
     *
     * @param known the classes of the JDK whose hashes it knows
     */
    HashWork(Predicate<Class<?>> allowed, Predicate<Class<?>> known) {
        this.allowed = allowed;
        this.known = known;
    }

    /** Begins with another message. */
    void begin(int bytes, long base) {
        left = Math.min(MOST, base + (long) PER_BYTE * bytes);
        limit = TimeLimit.NONE;
        steps = STEPS_BETWEEN;
    }

    /** Ends when a time is over. */
    void until(TimeLimit time) {
        limit = time;
    }

    TimeLimit limit() {
        return limit;
    }

    /** Counts an object that is read. */
    void reads() {
        if (--steps < 0) {
            checkTime();
        }
    }

    /** Counts code of the program that may run for an object of a class. */
    void runs(Class<?> type) {
        steps -= Jdk.has(type) ? 1 : STEPS_OF_PROGRAM;
        if (steps < 0) {
            checkTime();
        }
    }

    private void checkTime() {
        steps = STEPS_BETWEEN;
        if (limit.hasPassed()) {
            throw SerialException.late();
        }
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
                    spend((i - from) * comparison(elements[(int) ordered[i]], costs[(int) ordered[i]]));
                }
            }
        }
    }

    /**
     * Counts elements that go into a table of {@code places} buckets, where each is compared with all earlier ones in
     * its bucket.
     */
    void chained(@Nullable Object[] elements, int places) {
        int[] costs = costs(elements);
        int[] before = new int[places];
        for (int i = 0; i < elements.length; i++) {
            int others = before[(hash(elements[i]) & Integer.MAX_VALUE) % places]++;
            if (others > 0) {
                spend(step(others, elements[i], comparison(elements[i], costs[i])));
            }
        }
    }

    /**
     * Counts elements that go into a table of twice their number of slots, each to the next free slot: {@code Set.of}.
     */
    void probed(@Nullable Object[] elements) {
        int[] costs = costs(elements);
        boolean[] taken = new boolean[2 * elements.length];
        for (int i = 0; i < elements.length; i++) {
            int place = Math.floorMod(hash(elements[i]), taken.length);
            int steps = 0;
            long cost = taken[place] ? comparison(elements[i], costs[i]) : 1;
            while (taken[place]) {
                place = place + 1 == taken.length ? 0 : place + 1;
                if ((++steps & 1023) == 0) {
                    spend(step(1024, elements[i], cost));
                }
            }
            spend(step(steps & 1023, elements[i], cost));
            taken[place] = true;
        }
    }

    /** Counts elements that are compared to be sorted. */
    void sorted(@Nullable Object[] elements) {
        int comparisons = Integer.SIZE - Integer.numberOfLeadingZeros(elements.length);
        for (Object element : elements) {
            spend(visit(element, Asked.COMPARE, 0) * comparisons);
        }
    }

    /** The cost of comparing an element with some others: numbers are faster than all other elements. */
    private static long step(int others, @Nullable Object element, long cost) {
        return element instanceof Number && cost == 1 ? (others + 7L) >> 3 : others * cost;
    }

    /** Counts the cost of visiting each element. */
    private int[] costs(@Nullable Object[] elements) {
        int[] costs = new int[elements.length];
        for (int i = 0; i < elements.length; i++) {
            costs[i] = (int) visit(elements[i], Asked.HASH, 0); // at most the remaining budget
        }
        return costs;
    }

    /** The cost of comparing an element with one of the same hash or bucket, at least the cost of hashing it. */
    private long comparison(@Nullable Object element, int hashing) {
        return element == null || Jdk.isPlain(element.getClass())
                ? hashing
                : Math.max(hashing, visit(element, Asked.EQUALS, 0));
    }

    private long visit(@Nullable Object object, Asked asked, int depth) {
        checkDepth(depth);
        long cost = weight(object);
        spend(cost);
        if (object == null || Jdk.isPlain(object.getClass())) {
            return cost;
        }
        if (object instanceof URL) { // the JDK would look up its host
            throw SerialException.refused("a java.net.URL is hashed or compared (send a java.net.URI)");
        }
        if (!known.test(object.getClass())) {
            OwnState state = asked.of(object.getClass());
            boolean isValue = state.fields().length > 0 && allowed.test(object.getClass()); // no reference
            for (Field field : isValue ? state.fields() : NONE) {
                Object part = ProgramFields.valueOf(field, object);
                cost += state.walksArrays() && part != null && part.getClass().isArray()
                        ? array(part, asked, depth + 1)
                        : visit(part, asked == Asked.COMPARE ? Asked.HASH : asked, depth + 1);
            }
        } else if (asked == Asked.COMPARE) {
            return cost;
        } else if (object instanceof Map.Entry<?, ?> entry) {
            cost += visit(entry.getKey(), asked, depth + 1) + visit(entry.getValue(), asked, depth + 1);
        } else if (object instanceof Optional<?> optional) {
            cost += visit(optional.orElse(null), asked, depth + 1);
        } else if (object instanceof Collection<?> collection && isVisited(object)) {
            for (Object element : collection) {
                cost += visit(element, asked, depth + 1);
            }
        } else if (object instanceof Map<?, ?> map && isVisited(object)) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                cost += visit(entry.getKey(), asked, depth + 1) + visit(entry.getValue(), asked, depth + 1);
            }
        }
        return cost;
    }

    private static void checkDepth(int depth) {
        if (depth > DEEPEST) {
            throw SerialException.refused("an element of a hashed collection is nested deeper than " + DEEPEST
                    + " levels, or contains itself");
        }
    }

    /** The cost of an array whose elements are visited. */
    private long array(Object array, Asked asked, int depth) {
        checkDepth(depth);
        long cost = 1 + (Array.getLength(array) >> 3);
        spend(cost);
        if (array instanceof Object[] elements) {
            for (Object element : elements) {
                cost += element != null && element.getClass().isArray()
                        ? array(element, asked, depth + 1)
                        : visit(element, asked, depth + 1);
            }
        }
        return cost;
    }

    /** The cost of an object without the objects that it contains. */
    private static long weight(@Nullable Object object) {
        if (object instanceof CharSequence text && (object instanceof String || object instanceof StringBuilder)) {
            return 1 + (text.length() >> 6);
        }
        if (object instanceof BigInteger number) {
            return 1 + (number.bitLength() >> 5);
        }
        if (object instanceof BigDecimal number) { // comparing two numbers may multiply them
            long words = number.unscaledValue().bitLength() >> 5;
            return 1 + words + (long) (words * Math.sqrt(words));
        }
        if (object instanceof Collection<?> || object instanceof Map<?, ?>) {
            return COLLECTION;
        }
        return object instanceof BitSet bits ? 1 + (bits.size() >> 6) : 1;
    }

    private boolean isVisited(Object collection) {
        return !(collection instanceof ArrayDeque) && known.test(collection.getClass());
    }

    void spend(long units) {
        steps -= 1 + (units >> 10);
        if (steps < 0) {
            checkTime();
        }
        left -= units;
        if (left < 0) {
            throw SerialException.refused("a collection whose elements take more work to hash or compare than "
                    + PER_BYTE + " steps for each byte of the message (send lists, or elements with"
                    + " other hashes; -D" + PROPERTY + " sets the steps)");
        }
    }

    private int hash(@Nullable Object element) {
        if (element == null) {
            return 0;
        }
        runs(element.getClass());
        return element.hashCode();
    }

    /** The one class of all elements if they are values of the JDK that a tree of a crowded bucket can order. */
    private static @Nullable Class<?> plainClass(@Nullable Object[] elements) {
        Object first = elements.length == 0 ? null : elements[0];
        if (first == null || !Jdk.isPlain(first.getClass())) {
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
}
