package dev.cleave.rt;

import dev.cleave.serial.PlainThrowables;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the JDK whose methods read and write only the object itself and the objects given to it.
 *
 * <p>Compared exactly: a subclass may do anything. An access-ordered {@code LinkedHashMap} changes when it is read,
 * sorted collections call a comparator, so these are not plain when written; their views are when read.
 */
final class PlainClasses {

    private static final Set<Class<?>> PLAIN = Collections.newSetFromMap(new IdentityHashMap<>());
    private static final Set<Class<?>> VIEWS = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Classes that are plain when iterated over, but not when searched: they may call a comparator, or {@code equals}
     * of an element.
     */
    private static final Set<Class<?>> ITERABLE = Collections.newSetFromMap(new IdentityHashMap<>());

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Character.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Class.class,
            UUID.class,
            Duration.class,
            Instant.class,
            LocalDate.class,
            LocalDateTime.class,
            LocalTime.class);

    /** Whether a class of enum constants has no {@code toString} of its own. */
    private static final ClassValue<Boolean> PLAIN_ENUMS = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() == Enum.class;
            } catch (NoSuchMethodException e) {
                return false;
            }
        }
    };

    /** Comparators that ask the objects which they compare, and nothing else. */
    private static final Set<Class<?>> ORDERS = Set.of(
            Comparator.naturalOrder().getClass(), Comparator.reverseOrder().getClass());

    private static final Class<?> AS_LIST = Arrays.asList(1, 2).getClass();

    static {
        Map<String, Integer> hash = new HashMap<>();
        TreeMap<String, Integer> tree = new TreeMap<>();
        for (Map<String, Integer> map : List.of(hash, tree, new LinkedHashMap<String, Integer>())) {
            VIEWS.addAll(List.of(
                    map.keySet().getClass(),
                    map.values().getClass(),
                    map.entrySet().getClass()));
            map.put("", 0);
            PLAIN.add(map.entrySet().iterator().next().getClass());
        }
        ITERABLE.addAll(List.of(
                tree.keySet().getClass(),
                tree.entrySet().getClass(),
                TreeSet.class,
                Set.of(1).getClass(),
                Tokens.class));
        PLAIN.addAll(VIEWS);
        PLAIN.addAll(List.of(ArrayList.class, LinkedList.class, ArrayDeque.class, HashSet.class, LinkedHashSet.class));
        PLAIN.addAll(List.of(HashMap.class, StringBuilder.class, String.class, BitSet.class, Date.class));
        PLAIN.addAll(List.of(IntSummaryStatistics.class, LongSummaryStatistics.class, DoubleSummaryStatistics.class));
        for (Object example : List.of(
                Arrays.asList(1, 2),
                List.of(),
                List.of(1),
                List.of(1, 2, 3),
                Set.of(),
                Set.of(1),
                Set.of(1, 2, 3),
                Collections.emptyList(),
                Collections.singletonList(1),
                Collections.singleton(1),
                Collections.emptySet(),
                List.of(1, 2).stream().toList())) {
            PLAIN.add(example.getClass());
        }
        PLAIN.removeAll(ITERABLE);
    }

    /** Iterators over such objects; those that call methods of what they iterate over are not among them. */
    private static final Set<Class<?>> ITERATORS = Set.copyOf(List.of(
            new ArrayList<>().iterator().getClass(),
            new LinkedList<>().iterator().getClass(),
            new ArrayDeque<>().iterator().getClass(),
            new HashMap<>().keySet().iterator().getClass(),
            new HashMap<>().values().iterator().getClass(),
            new HashMap<>().entrySet().iterator().getClass(),
            new LinkedHashMap<>().keySet().iterator().getClass(),
            new LinkedHashMap<>().values().iterator().getClass(),
            new LinkedHashMap<>().entrySet().iterator().getClass(),
            new TreeMap<>().keySet().iterator().getClass(),
            new TreeMap<>().values().iterator().getClass(),
            new TreeMap<>().entrySet().iterator().getClass(),
            Arrays.asList(1, 2).iterator().getClass(),
            List.of(1, 2).iterator().getClass(),
            Set.of(1, 2, 3).iterator().getClass()));

    private PlainClasses() {}

    /** Whether an object is an iterator of the JDK that runs no other code. */
    static boolean isIterator(@Nullable Object object) {
        return object != null && ITERATORS.contains(object.getClass());
    }

    /**
     * Whether an object's {@code equals}, {@code hashCode}, {@code compareTo} and {@code toString} touch nothing else, nor do the message and
     * the causes of an exception.
     */
    static boolean isValue(Object object) {
        return VALUES.contains(object.getClass())
                || object instanceof Enum<?> && PLAIN_ENUMS.get(object.getClass())
                || object instanceof Throwable exception && PlainThrowables.isOne(exception);
    }

    static boolean isPlain(@Nullable Object object) {
        return object != null && (PLAIN.contains(object.getClass()) || isConsole(object));
    }

    /**
     * Says whether an object is {@code System.out} or {@code System.err}: these two streams are the console, and no
     * other is.
     */
    private static boolean isConsole(Object object) {
        return object == System.out || object == System.err;
    }

    /** Whether iterating over an object reads and writes nothing else. */
    static boolean isPlainToIterate(@Nullable Object object) {
        return isPlain(object) || object != null && ITERABLE.contains(object.getClass());
    }

    /** Whether iterating over the entries of a map has no visible effect. */
    static boolean isPlainMap(Map<?, ?> map) {
        Class<?> type = map.getClass();
        return type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class;
    }

    /**
     * Whether reading an object changes no other object: an access-ordered map changes itself when it is read. A sorted
     * map without a comparator asks the key that it is given, and no key of its own; a priority queue asks its elements.
     */
    static boolean isContained(@Nullable Object object) {
        return isPlain(object)
                || object != null && object.getClass() == LinkedHashMap.class
                || object instanceof TreeMap<?, ?> map && map.getClass() == TreeMap.class && map.comparator() == null
                || isPlainQueue(object);
    }

    /** Whether an object is a priority queue of values of the JDK, in their natural order or the reverse of that. */
    static boolean isPlainQueue(@Nullable Object object) {
        return object instanceof PriorityQueue<?> queue
                && queue.getClass() == PriorityQueue.class
                && (queue.comparator() == null
                        || ORDERS.contains(queue.comparator().getClass()))
                && queue.stream().allMatch(PlainClasses::isValue);
    }

    static boolean areApart(@Nullable Object written, @Nullable Object read) {
        if (written == null || read == null) {
            return true;
        }
        if (written == read) {
            return false;
        }
        boolean isOfMap = isOfMap(written) || isOfMap(read);
        if (isOfMap && (VIEWS.contains(read.getClass()) || VIEWS.contains(written.getClass()))) {
            return false;
        }
        if (VIEWS.contains(read.getClass()) || VIEWS.contains(written.getClass())) {
            return !VIEWS.contains(written.getClass());
        }
        if (written instanceof Map.Entry || read instanceof Map.Entry) {
            return !(written instanceof Map) && !(read instanceof Map);
        }
        return !mayShareArray(written, read);
    }

    /** Whether an object is a map, or an entry of one. */
    private static boolean isOfMap(Object object) {
        return object instanceof Map || object instanceof Map.Entry;
    }

    /** Whether one object may be a list of {@code Arrays.asList}, which is a view of its array. */
    private static boolean mayShareArray(Object a, Object b) {
        boolean aViews = a.getClass() == AS_LIST;
        boolean bViews = b.getClass() == AS_LIST;
        return aViews && (bViews || b.getClass().isArray())
                || bViews && a.getClass().isArray();
    }
}
