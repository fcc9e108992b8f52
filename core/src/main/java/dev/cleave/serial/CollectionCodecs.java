package dev.cleave.serial;

import com.esotericsoftware.kryo.Serializer;
import dev.cleave.serial.CollectionCodec.Filling;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of the JDK's collections: mutable ones are made by a maker, immutable ones by the factory that made the
 * original.
 */
final class CollectionCodecs {

    /** The classes of these collections; to ask for them makes no codec. */
    static final Set<Class<?>> TYPES = types();

    private CollectionCodecs() {}

    private static Set<Class<?>> types() {
        Set<Class<?>> types = new HashSet<>(EnumSetCodec.types());
        types.addAll(List.of(
                ArrayList.class,
                LinkedList.class,
                ArrayDeque.class,
                java.util.Vector.class,
                CopyOnWriteArrayList.class,
                HashSet.class,
                LinkedHashSet.class,
                Stack.class,
                ConcurrentLinkedQueue.class,
                ConcurrentLinkedDeque.class,
                LinkedBlockingQueue.class,
                LinkedBlockingDeque.class,
                CopyOnWriteArraySet.class,
                ConcurrentHashMap.KeySetView.class,
                PriorityQueue.class,
                PriorityBlockingQueue.class,
                TreeSet.class,
                ConcurrentSkipListSet.class,
                HashMap.class,
                LinkedHashMap.class,
                ConcurrentHashMap.class,
                IdentityHashMap.class,
                java.util.Hashtable.class,
                TreeMap.class,
                ConcurrentSkipListMap.class,
                java.util.EnumMap.class));
        List<Object> array = new ArrayList<>();
        List<Object> linked = new LinkedList<>();
        TreeSet<Object> set = new TreeSet<>();
        TreeMap<Object, Object> map = new TreeMap<>();
        for (Object sample : List.of(
                List.of(),
                List.of(1),
                Set.of(),
                Set.of(1),
                Arrays.asList(),
                Collections.emptyList(),
                Collections.emptySet(),
                Collections.singletonList(1),
                Collections.singleton(1),
                Collections.unmodifiableList(array),
                Collections.unmodifiableList(linked),
                Collections.synchronizedList(array),
                Collections.synchronizedList(linked),
                Collections.unmodifiableCollection(array),
                Collections.synchronizedCollection(array),
                Collections.unmodifiableSet(set),
                Collections.synchronizedSet(set),
                Collections.unmodifiableSortedSet(set),
                Collections.synchronizedSortedSet(set),
                Collections.unmodifiableNavigableSet(set),
                Collections.synchronizedNavigableSet(set),
                Collections.emptySortedSet(),
                Collections.unmodifiableMap(map),
                Collections.synchronizedMap(map),
                Collections.unmodifiableSortedMap(map),
                Collections.synchronizedSortedMap(map),
                Collections.unmodifiableNavigableMap(map),
                Collections.synchronizedNavigableMap(map),
                Collections.emptySortedMap(),
                Map.of(),
                Map.of(1, 1),
                Collections.emptyMap(),
                Collections.singletonMap(1, 1))) {
            types.add(sample.getClass());
        }
        return types;
    }

    /** The codec of collections of one of these classes. */
    static @Nullable Supplier<Serializer<?>> codec(Class<?> type) {
        return Codecs.ALL.get(type);
    }

    /** The classes that have codecs. */
    static Set<Class<?>> withCodecs() {
        return Codecs.ALL.keySet();
    }

    /** Makes the codecs; linked when the first one is needed. */
    private static final class Codecs {

        static final Map<Class<?>, Supplier<Serializer<?>>> ALL = all();

        private Codecs() {}
    }

    private static Map<Class<?>, Supplier<Serializer<?>>> all() {
        Map<Class<?>, Supplier<Serializer<?>>> codecs = new HashMap<>();
        filled(codecs, ArrayList.class, ArrayList::new);
        filled(codecs, LinkedList.class, LinkedList::new);
        filled(codecs, ArrayDeque.class, ArrayDeque::new);
        filled(codecs, java.util.Vector.class, java.util.Vector::new);
        filled(codecs, CopyOnWriteArrayList.class, CopyOnWriteArrayList::new, Filling.TOGETHER);
        filled(codecs, HashSet.class, HashSet::new, Filling.HASHED);
        filled(codecs, LinkedHashSet.class, LinkedHashSet::new, Filling.HASHED);
        filled(codecs, Stack.class, Stack::new);
        filled(codecs, ConcurrentLinkedQueue.class, ConcurrentLinkedQueue::new);
        filled(codecs, ConcurrentLinkedDeque.class, ConcurrentLinkedDeque::new);
        filled(codecs, LinkedBlockingQueue.class, LinkedBlockingQueue::new);
        filled(codecs, LinkedBlockingDeque.class, LinkedBlockingDeque::new);
        filled(codecs, CopyOnWriteArraySet.class, CopyOnWriteArraySet::new, Filling.COMPARED);
        filled(codecs, ConcurrentHashMap.KeySetView.class, ConcurrentHashMap::newKeySet, Filling.HASHED);
        queue(codecs, PriorityQueue.class, order -> new PriorityQueue<>(11, order));
        queue(codecs, PriorityBlockingQueue.class, order -> new PriorityBlockingQueue<>(11, order));
        sortedSet(codecs, TreeSet.class, TreeSet::new);
        sortedSet(codecs, ConcurrentSkipListSet.class, ConcurrentSkipListSet::new);
        map(codecs, HashMap.class, HashMap::new);
        map(codecs, LinkedHashMap.class, LinkedHashMap::new);
        map(codecs, ConcurrentHashMap.class, ConcurrentHashMap::new);
        codecs.put(
                IdentityHashMap.class,
                () -> new MapCodec((order, size) -> new IdentityHashMap<>(), (work, keys) -> {}, null));
        codecs.put(
                java.util.Hashtable.class,
                () -> new MapCodec(
                        (order, size) -> new java.util.Hashtable<>(places(size)),
                        (work, keys) -> work.chained(keys, places(keys.length)),
                        null));
        sortedMap(codecs, TreeMap.class, TreeMap::new);
        sortedMap(codecs, ConcurrentSkipListMap.class, ConcurrentSkipListMap::new);

        for (List<?> sample : List.of(List.of(), List.of(1), List.of(1, 2, 3))) {
            rebuilt(codecs, sample.getClass(), array -> Stream.of(array).toList());
        }
        rebuilt(codecs, List.of(1).getClass(), List::of);
        for (Set<?> sample : List.of(Set.of(), Set.of(1))) {
            codecs.put(
                    sample.getClass(),
                    () -> new RebuiltCodec((work, array) -> {
                        work.probed(array);
                        return Set.of(array);
                    }));
        }
        rebuilt(codecs, Arrays.asList().getClass(), Arrays::asList);
        rebuilt(codecs, Collections.emptyList().getClass(), array -> Collections.emptyList());
        rebuilt(codecs, Collections.emptySet().getClass(), array -> Collections.emptySet());
        rebuilt(codecs, Collections.singletonList(1).getClass(), array -> Collections.singletonList(array[0]));
        rebuilt(codecs, Collections.singleton(1).getClass(), array -> Collections.singleton(array[0]));
        wrappers(codecs);

        for (Map<?, ?> sample : List.of(Map.of(), Map.of(1, 1))) {
            codecs.put(
                    sample.getClass(),
                    () -> new MapCodec(
                            (order, size) -> new LinkedHashMap<>(), CollectionCodecs::hashedAndProbed, Map::copyOf));
        }
        rebuiltMap(codecs, Collections.emptyMap().getClass(), map -> Collections.emptyMap());
        rebuiltMap(codecs, Collections.singletonMap(1, 1).getClass(), CollectionCodecs::singleton);
        codecs.put(java.util.EnumMap.class, EnumMapCodec::new);
        EnumSetCodec.types().forEach(type -> codecs.put(type, EnumSetCodec::new));
        return codecs;
    }

    /** Unmodifiable and synchronized wrappers: what they wrap is copied, and wrapped again. */
    private static void wrappers(Map<Class<?>, Supplier<Serializer<?>>> codecs) {
        List<List<Object>> lists = List.of(new ArrayList<>(), new LinkedList<>());
        for (List<Object> list : lists) {
            wrapped(codecs, order -> copy(list), Filling.EACH, c -> Collections.unmodifiableList((List<Object>) c));
            wrapped(codecs, order -> copy(list), Filling.EACH, c -> Collections.synchronizedList((List<Object>) c));
        }
        wrapped(codecs, order -> new ArrayList<>(), Filling.EACH, Collections::unmodifiableCollection);
        wrapped(codecs, order -> new ArrayList<>(), Filling.EACH, Collections::synchronizedCollection);
        wrapped(codecs, o -> new LinkedHashSet<>(), Filling.HASHED, c -> Collections.unmodifiableSet((Set<Object>) c));
        wrapped(codecs, o -> new LinkedHashSet<>(), Filling.HASHED, c -> Collections.synchronizedSet((Set<Object>) c));
        List<Function<TreeSet<Object>, Collection<Object>>> sorted = List.of(
                Collections::unmodifiableSortedSet,
                Collections::synchronizedSortedSet,
                Collections::unmodifiableNavigableSet,
                Collections::synchronizedNavigableSet);
        for (Function<TreeSet<Object>, Collection<Object>> wrapper : sorted) {
            wrapped(codecs, TreeSet::new, Filling.SORTED, c -> wrapper.apply((TreeSet<Object>) c));
        }
        codecs.put(
                Collections.emptySortedSet().getClass(),
                () -> new CollectionCodec(TreeSet::new, Filling.SORTED, c -> Collections.emptySortedSet()));
        rebuiltMap(codecs, Collections.unmodifiableMap(Map.of()).getClass(), Collections::unmodifiableMap);
        rebuiltMap(codecs, Collections.synchronizedMap(Map.of()).getClass(), Collections::synchronizedMap);
        List<Function<TreeMap<Object, Object>, Map<Object, Object>>> ordered = List.of(
                Collections::unmodifiableSortedMap,
                Collections::synchronizedSortedMap,
                Collections::unmodifiableNavigableMap,
                Collections::synchronizedNavigableMap);
        for (Function<TreeMap<Object, Object>, Map<Object, Object>> wrapper : ordered) {
            codecs.put(
                    wrapper.apply(new TreeMap<>()).getClass(),
                    () -> new MapCodec(
                            (order, size) -> new TreeMap<>(order),
                            HashWork::sorted,
                            map -> wrapper.apply((TreeMap<Object, Object>) map)));
        }
        codecs.put(
                Collections.emptySortedMap().getClass(),
                () -> new MapCodec(
                        (order, size) -> new TreeMap<>(order), HashWork::sorted, map -> Collections.emptySortedMap()));
    }

    private static List<Object> copy(List<Object> sample) {
        return sample instanceof ArrayList ? new ArrayList<>() : new LinkedList<>();
    }

    @SuppressWarnings("NullAway") // no order
    private static void wrapped(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Function<Comparator<Object>, Collection<Object>> maker,
            Filling filling,
            UnaryOperator<Collection<Object>> wrapper) {
        Class<?> type = wrapper.apply(maker.apply(null)).getClass();
        codecs.put(type, () -> new CollectionCodec(maker, filling, wrapper));
    }

    private static void queue(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Function<Comparator<Object>, ? extends Collection<Object>> maker) {
        codecs.put(type, () -> new CollectionCodec(maker, Filling.SORTED));
    }

    private static Map<Object, Object> singleton(Map<Object, Object> map) {
        Map.Entry<Object, Object> only = map.entrySet().iterator().next();
        return Collections.singletonMap(only.getKey(), only.getValue());
    }

    private static void hashedAndProbed(HashWork work, Object[] keys) {
        work.hashed(keys);
        work.probed(keys);
    }

    /**
     * The capacity of a {@link java.util.Hashtable} that takes {@code size} entries without growing: odd, as its own
     * capacities are.
     */
    private static int places(int size) {
        return (int) Math.max(11, Math.min(Integer.MAX_VALUE - 8L, size * 4L / 3 + 2 | 1));
    }

    private static void filled(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Supplier<? extends Collection<Object>> maker) {
        filled(codecs, type, maker, Filling.EACH);
    }

    private static void filled(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Supplier<? extends Collection<Object>> maker,
            Filling filling) {
        codecs.put(type, () -> new CollectionCodec(order -> maker.get(), filling));
    }

    private static void sortedSet(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Function<Comparator<Object>, ? extends SortedSet<Object>> maker) {
        codecs.put(type, () -> new CollectionCodec(maker, Filling.SORTED));
    }

    private static void map(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Supplier<? extends Map<Object, Object>> maker) {
        codecs.put(type, () -> new MapCodec((order, size) -> maker.get(), HashWork::hashed, null));
    }

    private static void sortedMap(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Function<Comparator<Object>, ? extends SortedMap<Object, Object>> maker) {
        codecs.put(type, () -> new MapCodec((order, size) -> maker.apply(order), HashWork::sorted, null));
    }

    private static void rebuilt(
            Map<Class<?>, Supplier<Serializer<?>>> codecs, Class<?> type, Function<Object[], Collection<?>> factory) {
        codecs.put(type, () -> new RebuiltCodec(factory));
    }

    private static void rebuiltMap(
            Map<Class<?>, Supplier<Serializer<?>>> codecs,
            Class<?> type,
            Function<Map<Object, Object>, Map<Object, Object>> factory) {
        codecs.put(type, () -> new MapCodec((order, size) -> new LinkedHashMap<>(), HashWork::hashed, factory));
    }
}
