package dev.cleave.rt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the JDK whose methods touch nothing but the object itself and the objects given to it.
 *
 * <p>Compared exactly: a subclass may do anything. An access-ordered {@code LinkedHashMap} changes when it is read,
 * sorted collections call a comparator, so these are not plain when written; their views are when read.
 */
final class PlainClasses {

    private static final Set<Class<?>> PLAIN = Collections.newSetFromMap(new IdentityHashMap<>());
    private static final Set<Class<?>> VIEWS = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Plain when iterated over, but not when searched: they may call a comparator, or {@code equals} of an element. */
    private static final Set<Class<?>> ITERABLE = Collections.newSetFromMap(new IdentityHashMap<>());

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
                tree.keySet().getClass(), tree.entrySet().getClass(), Set.of(1).getClass()));
        PLAIN.addAll(VIEWS);
        PLAIN.addAll(List.of(ArrayList.class, LinkedList.class, ArrayDeque.class, HashSet.class, LinkedHashSet.class));
        PLAIN.addAll(List.of(HashMap.class, StringBuilder.class, String.class, BitSet.class));
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

    private PlainClasses() {}

    static boolean isPlain(@Nullable Object object) {
        return object != null && (PLAIN.contains(object.getClass()) || isConsole(object));
    }

    /** Whatever stands behind {@code System.out} and {@code System.err} is the console; no other stream is. */
    private static boolean isConsole(Object object) {
        return object == System.out || object == System.err;
    }

    /** Whether iterating over an object touches nothing else. */
    static boolean isPlainToIterate(@Nullable Object object) {
        return isPlain(object) || object != null && ITERABLE.contains(object.getClass());
    }

    /** Whether the entries of a map can be walked without anybody noticing. */
    static boolean isPlainMap(Map<?, ?> map) {
        Class<?> type = map.getClass();
        return type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class;
    }

    /**
     * An access-ordered map changes when it is read, but no other object does. A sorted map without a comparator asks the key
     * that it is given, and no key of its own.
     */
    static boolean isContained(@Nullable Object object) {
        return isPlain(object)
                || object != null && object.getClass() == LinkedHashMap.class
                || object instanceof TreeMap<?, ?> map && map.getClass() == TreeMap.class && map.comparator() == null;
    }

    static boolean areApart(@Nullable Object written, @Nullable Object read) {
        if (written == null || read == null) {
            return true;
        }
        if (written == read) {
            return false;
        }
        if (VIEWS.contains(read.getClass()) || VIEWS.contains(written.getClass())) {
            return !(written instanceof Map) && !(read instanceof Map) && !(VIEWS.contains(written.getClass()));
        }
        if (written instanceof Map.Entry || read instanceof Map.Entry) {
            return !(written instanceof Map) && !(read instanceof Map);
        }
        return !mayShareArray(written, read);
    }

    /** A list of {@code Arrays.asList} is a view of its array. */
    private static boolean mayShareArray(Object a, Object b) {
        boolean aViews = a.getClass() == AS_LIST;
        boolean bViews = b.getClass() == AS_LIST;
        return aViews && (bViews || b.getClass().isArray())
                || bViews && a.getClass().isArray();
    }
}
