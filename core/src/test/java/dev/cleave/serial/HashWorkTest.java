package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that are small and would take a worker for long. */
@Tag("one-jdk")
@Timeout(180)
class HashWorkTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int MANY = FULL ? 1_000_000 : 20_000;
    private static final int ALIKE = FULL ? 6_000 : 1_500;

    record Pair(Object left, Object right) {}

    record Own(int id, Object others) {
        @Override
        public int hashCode() {
            return id;
        }
    }

    /** Its hash walks through all that it has; it has no other. */
    static class Deep {
        final Object left;
        final Object right;

        Deep(Object left, Object right) {
            this.left = left;
            this.right = right;
        }

        Object right() {
            return right;
        }

        @Override
        public int hashCode() {
            return 31 * (left == null ? 0 : left.hashCode()) + right().hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Deep that && left.equals(that.left) && right.equals(that.right);
        }
    }

    /** Hands itself on. */
    static final class Helped extends Deep {
        Helped(Object left, Object right) {
            super(left, right);
        }

        @Override
        public int hashCode() {
            return Helper.hash(this);
        }

        @Override
        public boolean equals(Object other) {
            return super.equals(other);
        }
    }

    static final class Helper {
        static int hash(Deep deep) {
            return 31 * deep.left.hashCode() + deep.right.hashCode();
        }
    }

    /** Its hash is short, its comparison is not. */
    record Shallow(int id, Object rest) {
        @Override
        public int hashCode() {
            return id;
        }
    }

    /** A graph with cycles, of which the hash sees numbers alone. */
    static final class Person {
        final int id;
        final String name;
        final Set<Person> others = new HashSet<>();
        final List<Object> notes = new ArrayList<>();

        Person(int id) {
            this.id = id;
            name = "p" + id;
        }

        int id() {
            return id;
        }

        @Override
        public int hashCode() {
            return 31 * id() + (others == null ? 0 : java.util.Objects.hash(name, notes.size()));
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Person that && id == that.id && name.equals(that.name);
        }
    }

    /** Its order walks through a list. */
    record Ranked(List<Object> ranks) implements Comparable<Ranked> {
        @Override
        public int compareTo(Ranked other) {
            return Integer.compare(ranks.hashCode(), other.ranks.hashCode());
        }
    }

    record Arrays2(Object[] all) {
        @Override
        public int hashCode() {
            return Arrays.deepHashCode(all);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Arrays2 that && Arrays.deepEquals(all, that.all);
        }
    }

    record Cell(Later.Value<Object> content) {}

    /** Collections that hash what they are given, which is changed only afterwards: some, with {@code -Dcleave.full=true} all. */
    static Stream<Function<Object, Object>> hashed() {
        List<Function<Object, Object>> all = List.of(
                key -> new HashSet<>(Set.of(key)),
                key -> new LinkedHashSet<>(Set.of(key)),
                key -> new HashMap<>(Map.of(key, 1)),
                key -> new LinkedHashMap<>(Map.of(key, 1)),
                key -> new ConcurrentHashMap<>(Map.of(key, 1)),
                key -> new Hashtable<>(Map.of(key, 1)),
                key -> Set.of(key),
                key -> Set.of(key, 1, 2),
                key -> Map.of(key, 1),
                key -> Map.of(key, 1, 2, 3),
                key -> Collections.singletonMap(key, 1),
                key -> Collections.unmodifiableSet(new HashSet<>(Set.of(key))),
                key -> Collections.unmodifiableMap(new HashMap<>(Map.of(key, 1))));
        return IntStream.range(0, all.size()).filter(i -> FULL || i % 3 == 0).mapToObj(all::get);
    }

    private static Object nested(int levels, BiFunction<Object, Object, Object> level) {
        Object one = "a";
        Object two = "b";
        for (int i = 0; i < levels; i++) {
            Object next = level.apply(one, two);
            two = level.apply(two, one);
            one = next;
        }
        return level.apply(one, two);
    }

    @ParameterizedTest
    @MethodSource("hashed")
    void noHashedCollectionTakesListsThatShareTheirChildren(Function<Object, Object> holder) {
        List<Object> key = new ArrayList<>();
        Object hostile = holder.apply(key);
        key.add(nested(45, List::of));

        refuses(hostile);
    }

    @Test
    void noSetTakesRecordsOptionalsAndMapsThatShareTheirChildren() {
        List<BiFunction<Object, Object, Object>> levels = List.of(
                Pair::new,
                (a, b) -> new Pair(Optional.of(a), b),
                Arrays::asList,
                (a, b) -> new Pair(Collections.singletonMap("k", a), b));
        for (BiFunction<Object, Object, Object> level : levels) {
            List<Object> key = new ArrayList<>();
            Object hostile = new HashSet<>(Set.of(key));
            key.add(nested(26, level));

            refuses(hostile);
        }
    }

    @Test
    void setsOfSetsThatShareTheirChildrenAreRefused() {
        Set<Object> root = new HashSet<>();
        Set<Object> one = root;
        Set<Object> two = new HashSet<>();
        for (int i = 0; i < 55; i++) {
            Set<Object> first = new HashSet<>(Set.of("a"));
            Set<Object> second = new HashSet<>();
            one.addAll(List.of(first, second));
            two.addAll(List.of(first, second));
            one = first;
            two = second;
        }

        refuses(List.of(root));
    }

    @Test
    void elementsOfEqualHashesAreRefusedWhenTheyAreMany() {
        List<List<Object>> keys = IntStream.range(0, 8_000)
                .mapToObj(i -> (List<Object>) new ArrayList<Object>(List.of(i)))
                .toList();
        Object set = new HashSet<>(keys);
        for (int i = 0; i < keys.size(); i++) { // 31 * a + b is the same
            keys.get(i).set(0, i);
            keys.get(i).add(-31 * i);
        }

        refuses(set);
    }

    @Test
    void mixedElementsOfEqualHashesAreRefusedWhenTheyAreMany() {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (long i = 1; i < ALIKE; i++) {
            map.put(i << 32 | i, 1); // hash 0
        }
        map.put(Optional.of(new ArrayList<>()), 1);
        assertThat(bench().copy(map)).hasSize(ALIKE); // of one class: the tree orders them

        map.clear();
        for (int i = 0; i < ALIKE; i++) {
            map.put(new Own(7, List.of(i)), 1);
        }
        refuses(map);
    }

    @Test
    void tablesWithoutTreesRefuseElementsOfOnePlace() {
        int many = FULL ? 20_000 : 14_000;
        Set<Integer> set =
                Set.copyOf(IntStream.range(0, many).mapToObj(i -> i * 2 * many).toList());
        Hashtable<Object, Object> table = new Hashtable<>();
        for (String key : equalHashes(13)) {
            table.put(key, 1);
        }

        refuses(set);
        if (FULL) {
            refuses(set.stream().collect(Collectors.collectingAndThen(Collectors.toMap(i -> i, i -> i), Map::copyOf)));
        }
        refuses(table);
    }

    @Test
    void aFullListIsNotCopiedForEachElement() {
        List<Integer> list = IntStream.range(0, 300_000).boxed().toList();

        assertThat(bench().copy(new CopyOnWriteArrayList<>(list))).isEqualTo(list);
    }

    @Test
    void laterValuesHaveNoWorkOfTheirOwn() {
        List<Object> cells = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            List<Object> key = new ArrayList<>();
            Object hostile = new HashSet<>(Set.of(key));
            Object shared = "x";
            for (int level = 0; level < 16; level++) {
                shared = List.of(shared, shared);
            }
            key.add(shared);
            cells.add(new Cell(Later.Value.of(hostile)));
        }

        refuses(cells);
    }

    @Test
    void honestCollectionsComeBack() {
        List<Object> honest = List.of(
                IntStream.range(0, MANY).boxed().collect(Collectors.toCollection(HashSet::new)),
                IntStream.range(0, 2_000).mapToObj(i -> 60_000L * i).collect(Collectors.toUnmodifiableSet()),
                IntStream.range(0, 5_000).mapToObj(i -> List.of("a" + i, i)).collect(Collectors.toSet()),
                IntStream.range(0, 5_000)
                        .boxed()
                        .collect(Collectors.toMap(i -> new Pair(i / 70, i % 70), i -> new Pair(i, "x"))),
                Set.of(Set.of(Set.of(1, 2), Set.of(3)), Set.of(Set.of(4), Set.of(Set.of(5)))),
                new TreeSet<>(
                        IntStream.range(0, 50_000).mapToObj(i -> "key" + i).toList()),
                new Hashtable<>(IntStream.range(0, 50_000).boxed().collect(Collectors.toMap(i -> i * 1024, i -> i))),
                new ConcurrentHashMap<>(equalHashes(12).stream().collect(Collectors.toMap(s -> s, s -> 1))),
                IntStream.range(0, 300).mapToObj(i -> new Own(7, List.of(i))).collect(Collectors.toSet()));

        for (Object value : honest) {
            assertThat(bench().copy(value).equals(value)).isTrue();
        }
    }

    @Test
    void aGraphWhoseHashIsTheProgramsOwnComesBack() {
        List<Object> shared = List.of();
        for (int i = 0; i < 25; i++) {
            shared = List.of(new Own(i, shared), new Own(-i, shared));
        }
        Set<Object> set = new HashSet<>(Set.of(new Own(99, shared)));

        assertThat(bench().copy(set)).hasSize(1);
    }

    @Test
    void hashesOfTheProgramThatWalkThroughWhatIsSharedAreRefused() {
        List<BiFunction<Object, Object, Object>> levels = List.of(
                Deep::new,
                Helped::new,
                (a, b) -> new Arrays2(new Object[] {a, new Object[] {b}}),
                (a, b) -> new Deep(List.of(a), Optional.of(b)));
        for (BiFunction<Object, Object, Object> level : levels) {
            List<Object> key = new ArrayList<>();
            Object hostile = new HashMap<>(Map.of(key, 1));
            key.add(nested(26, level));

            refuses(hostile);
        }
    }

    @Test
    void manyLevelsOfKeysOfTheProgramAreRefusedAtOnce() {
        Set<Object> root = new HashSet<>();
        Set<Object> one = root;
        Set<Object> two = new HashSet<>();
        for (int i = 0; i < 28; i++) { // each is two deep
            Set<Object> first = new HashSet<>();
            Set<Object> second = new HashSet<>();
            Object deep = new Deep(first, second); // its hash is taken while both are empty
            one.add(deep);
            two.add(deep);
            one = first;
            two = second;
        }
        one.add("a");

        refuses(List.of(root));
    }

    @Test
    void comparisonsOfTheProgramCount() {
        List<Object> left = new ArrayList<>();
        List<Object> right = new ArrayList<>();
        Object hostile = new HashSet<>(Set.of(new Shallow(7, left), new Shallow(7, List.of(right))));
        left.add(nested(26, List::of));
        right.add(nested(26, List::of));
        refuses(hostile);

        Set<Ranked> ranked = new TreeSet<>();
        List<Object> ranks = new ArrayList<>();
        ranked.add(new Ranked(ranks));
        ranks.add(nested(26, List::of));
        refuses(ranked);
    }

    @Test
    void aGraphWithCyclesWhoseHashesAreNumbersComesBack() {
        List<Person> people = IntStream.range(0, 20).mapToObj(Person::new).toList();
        for (Person person : people) {
            people.stream().filter(p -> p != person).forEach(person.others::add);
        }

        List<Person> back = bench().copy(new ArrayList<>(people));

        assertThat(back.get(7).others).hasSize(19).contains(back.get(8));
    }

    @Test
    void manyKeysOfTheProgramComeBack() {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            map.put(new Deep("key" + i, i), new Pair(i, "x"));
            map.put(new Pair("key" + i, i), i);
        }

        assertThat(bench().copy(map).equals(map)).isTrue();
    }

    private static List<String> equalHashes(int pairs) {
        List<String> all = List.of("");
        for (int i = 0; i < pairs; i++) {
            all = all.stream().flatMap(s -> Stream.of(s + "Aa", s + "BB")).toList();
        }
        return all;
    }

    private static Bench bench() {
        return Bench.of(
                Pair.class,
                Own.class,
                Cell.class,
                Deep.class,
                Helped.class,
                Shallow.class,
                Person.class,
                Ranked.class,
                Arrays2.class,
                Object.class);
    }

    private static void refuses(Object hostile) {
        Bench bench = bench();
        ByteBuf bytes = bench.write(hostile);

        assertThatThrownBy(() -> bench.read(bytes))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("more work to hash or compare than 64 steps");
    }
}
