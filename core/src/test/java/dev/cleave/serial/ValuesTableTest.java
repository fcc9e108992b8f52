package dev.cleave.serial;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import java.io.File;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the tables of {@code docs/values.md}: the first column names an entry here, and each entry a row. */
@Tag("one-jdk")
class ValuesTableTest {

    enum Colour {
        RED,
        GREEN
    }

    record Point(int x, List<String> names) {}

    static class Base {
        private final int id = 4;
    }

    static final class Bean extends Base {
        String name = "bean";

        @Override
        public boolean equals(Object other) {
            return other instanceof Bean bean && bean.name.equals(name) && ((Base) bean).id == 4;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    record Descending() implements Comparator<Object>, Serializable {
        @Override
        @SuppressWarnings("unchecked")
        public int compare(Object a, Object b) {
            return ((Comparable<Object>) b).compareTo(a);
        }
    }

    static final class ShopException extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        ShopException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    @Remote
    interface Callback {
        void call();
    }

    static final class OwnList extends ArrayList<String> {
        @Serial
        private static final long serialVersionUID = 1;
    }

    private static <K, V, M extends Map<K, V>> M with(M map, K key, V value) {
        map.put(key, value);
        return map;
    }

    private static <E, C extends Collection<E>> C with(C collection, List<E> elements) {
        collection.addAll(elements);
        return collection;
    }

    private static Properties properties() {
        Properties made = new Properties(with(new Properties(), (Object) "hidden", (Object) "default"));
        made.put("own", "value");
        return made;
    }

    private static Calendar calendar() {
        GregorianCalendar made = new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo"), Locale.GERMANY);
        made.set(2026, Calendar.MARCH, 4, 5, 6, 7); // fields that are not computed yet
        made.setLenient(false);
        return made;
    }

    private static Timestamp timestamp() {
        Timestamp made = new Timestamp(1_700_000_000_123L);
        made.setNanos(123_456_789);
        return made;
    }

    private static List<Object> asList(Object... values) {
        return Arrays.asList(values);
    }

    @SuppressWarnings("deprecation") // of later JDKs
    private static List<Object> locales() {
        return asList(
                Locale.GERMANY,
                Locale.ROOT,
                new Locale("no", "NO", "NY"),
                new Locale("xx", "", "odd variant"),
                Locale.forLanguageTag("zh-Hans-CN-x-private"));
    }

    /** The values of each row, which arrive equal and of the same class. */
    private static Map<String, List<Object>> same() throws IOException {
        Map<String, Integer> map = Map.of("a", 1, "b", 2);
        return Map.<String, List<Object>>ofEntries(
                entry("primitives and their wrappers", asList(1, 2L, (short) 3, (byte) 4, 'c', true, 1.5f, 2.5)),
                entry(
                        "`String`, `StringBuilder`, `StringBuffer`",
                        asList("\u20ac", new StringBuilder("b"), new StringBuffer("c"))),
                entry("arrays of these types", asList(new int[] {1}, new String[] {"a", null}, new int[][] {{1}, null
                })),
                entry("records", asList(new Point(1, List.of("a")))),
                entry("classes of the program", asList(new Bean())),
                entry("enums, also of the JDK", asList(Colour.GREEN, TimeUnit.DAYS, RoundingMode.FLOOR)),
                entry("exceptions", asList(new ShopException("sold out", new IOException("disk")))),
                entry("`BigInteger`, `BigDecimal`", asList(BigInteger.TEN, new BigDecimal("1.50"))),
                entry(
                        "`UUID`, `Currency`, `Locale`",
                        with(
                                new ArrayList<>(
                                        asList(UUID.nameUUIDFromBytes(new byte[1]), Currency.getInstance("EUR"))),
                                locales())),
                entry(
                        "`java.util.Date`, `Calendar`, `TimeZone`",
                        asList(new Date(5), calendar(), TimeZone.getTimeZone("Europe/Berlin"))),
                entry(
                        "`java.sql.Date`, `Time`, `Timestamp`",
                        asList(new java.sql.Date(5), new java.sql.Time(6), timestamp())),
                entry(
                        "`java.time`",
                        asList(
                                Instant.EPOCH,
                                java.time.LocalDate.EPOCH,
                                java.time.LocalTime.NOON,
                                java.time.LocalDateTime.MIN,
                                java.time.ZoneOffset.UTC,
                                java.time.ZoneId.of("Europe/Berlin"),
                                java.time.OffsetTime.MAX,
                                java.time.OffsetDateTime.MAX,
                                java.time.ZonedDateTime.parse("2026-11-20T10:00:00+01:00[Europe/Berlin]"),
                                java.time.Year.of(5),
                                java.time.YearMonth.of(5, 6),
                                java.time.MonthDay.of(7, 8),
                                java.time.Period.ofDays(9),
                                java.time.Duration.ofNanos(10),
                                java.time.DayOfWeek.FRIDAY)),
                entry(
                        "`Optional`, `OptionalInt`, `OptionalLong`, `OptionalDouble`",
                        asList(
                                Optional.of("x"),
                                Optional.empty(),
                                OptionalInt.of(1),
                                OptionalLong.of(2),
                                OptionalDouble.empty())),
                entry(
                        "`URI`, `URL`, `File`, `Pattern`",
                        asList(
                                URI.create("a:b"),
                                new URL("http://nowhere.invalid/x"),
                                new File("a/b"),
                                Pattern.compile("a+(b)", Pattern.CASE_INSENSITIVE))),
                entry(
                        "`InetAddress`, `InetSocketAddress`",
                        asList(
                                InetAddress.getByAddress("host.invalid", new byte[] {10, 0, 0, 1}),
                                InetAddress.getByAddress(new byte[16]),
                                InetSocketAddress.createUnresolved("host.invalid", 80),
                                new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), 81))),
                entry("`BitSet`", asList(BitSet.valueOf(new long[] {5}))),
                entry(
                        "`AtomicInteger` and the other atomic values",
                        asList(
                                new AtomicInteger(1),
                                new AtomicLong(2),
                                new AtomicBoolean(true),
                                new AtomicReference<>("r"),
                                new AtomicIntegerArray(new int[] {1}),
                                new AtomicLongArray(new long[] {2}),
                                new LongAdder())),
                entry(
                        "lists",
                        asList(
                                new ArrayList<>(asList(1, null)),
                                new LinkedList<>(List.of(1)),
                                new Vector<>(List.of(1)),
                                with(new Stack<>(), List.of(1, 2)),
                                new CopyOnWriteArrayList<>(List.of(1)),
                                List.of(),
                                List.of(1),
                                List.of(1, 2, 3),
                                Stream.of("a", null).toList(),
                                Arrays.asList("a", null))),
                entry(
                        "sets",
                        asList(
                                new HashSet<>(List.of(1)),
                                new LinkedHashSet<>(List.of(2, 1)),
                                new TreeSet<>(List.of(1)),
                                new ConcurrentSkipListSet<>(List.of(1)),
                                new CopyOnWriteArraySet<>(List.of(2, 1)),
                                with(ConcurrentHashMap.newKeySet(), List.of(1)),
                                EnumSet.noneOf(Colour.class),
                                EnumSet.of(Colour.RED),
                                EnumSet.of(Character.UnicodeScript.LATIN),
                                Set.of(),
                                Set.of(1),
                                Set.of(1, 2, 3))),
                entry(
                        "maps and their entries",
                        asList(
                                new HashMap<>(map),
                                new LinkedHashMap<>(map),
                                new TreeMap<>(map),
                                new Hashtable<>(map),
                                new ConcurrentHashMap<>(map),
                                new ConcurrentSkipListMap<>(map),
                                new EnumMap<>(Map.of(Colour.RED, 1)),
                                new EnumMap<>(Colour.class),
                                Map.of(),
                                Map.of("a", 1),
                                map,
                                Map.entry("a", 1),
                                new AbstractMap.SimpleEntry<>("a", 1),
                                new AbstractMap.SimpleImmutableEntry<>("a", 1))),
                entry("`IdentityHashMap`", asList(with(new IdentityHashMap<>(), "a", 1))),
                entry(
                        "queues",
                        asList(
                                new ArrayDeque<>(List.of(1)),
                                new PriorityQueue<>(List.of(3, 1, 2)),
                                new ConcurrentLinkedQueue<>(List.of(1)),
                                new ConcurrentLinkedDeque<>(List.of(1)),
                                new LinkedBlockingQueue<>(List.of(1)),
                                new PriorityBlockingQueue<>(List.of(2, 1)))),
                entry(
                        "orders of sorted collections",
                        asList(
                                with(new TreeSet<>(Comparator.reverseOrder()), List.of(1, 2)),
                                with(new TreeMap<>(String.CASE_INSENSITIVE_ORDER), "B", 1),
                                with(new TreeSet<Object>(new Descending()), List.of(1, 2)),
                                with(new PriorityQueue<Object>(new Descending()), List.of(1, 2)))),
                entry("`Properties`", asList(properties())),
                entry(
                        "`Collections.unmodifiable...`, `synchronized...`",
                        asList(
                                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                                Collections.unmodifiableList(new LinkedList<>(List.of(1))),
                                Collections.unmodifiableCollection(List.of(1)),
                                Collections.unmodifiableSet(Set.of(1)),
                                Collections.unmodifiableMap(new HashMap<>(map)),
                                Collections.unmodifiableSortedSet(
                                        with(new TreeSet<>(Comparator.reverseOrder()), List.of(1, 2))),
                                Collections.unmodifiableNavigableMap(new TreeMap<>(map)),
                                Collections.unmodifiableSortedMap(new TreeMap<>(map)),
                                Collections.unmodifiableNavigableSet(new TreeSet<>(Set.of(1))),
                                Collections.synchronizedList(new ArrayList<>(List.of(1))),
                                Collections.synchronizedCollection(new ArrayList<>(List.of(1))),
                                Collections.synchronizedSet(new HashSet<>(Set.of(1))),
                                Collections.synchronizedMap(new HashMap<>(map)),
                                Collections.synchronizedSortedMap(new TreeMap<>(map)),
                                Collections.synchronizedSortedSet(new TreeSet<>(Set.of(1))))),
                entry(
                        "`Collections.empty...`, `singleton...`",
                        asList(
                                Collections.emptyList(),
                                Collections.emptySet(),
                                Collections.emptyMap(),
                                Collections.emptySortedSet(),
                                Collections.emptySortedMap(),
                                Collections.singleton(1),
                                Collections.singletonList(1),
                                Collections.singletonMap(1, 2))));
    }

    /** The values of each row that arrive as copies of another class. */
    private static Map<String, List<Map.Entry<Object, Class<?>>>> copies() {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
        TreeMap<String, Integer> sorted = new TreeMap<>(map);
        return Map.of(
                "sublists, `nCopies`",
                List.of(
                        entry(list.subList(1, 3), ArrayList.class),
                        entry(List.of(1, 2, 3).subList(0, 2), ArrayList.class),
                        entry(new LinkedList<>(list).subList(0, 1), ArrayList.class),
                        entry(Collections.nCopies(3, "x"), ArrayList.class)),
                "`keySet()`, `entrySet()` of maps",
                List.of(
                        entry(map.keySet(), LinkedHashSet.class),
                        entry(map.entrySet(), LinkedHashSet.class),
                        entry(sorted.keySet(), TreeSet.class),
                        entry(Map.of("c", 3).keySet(), LinkedHashSet.class),
                        entry(new ConcurrentSkipListMap<>(map).keySet(), TreeSet.class)),
                "`values()` of maps",
                List.of(entry(map.values(), ArrayList.class), entry(sorted.values(), ArrayList.class)),
                "`subMap`, `headMap`, `tailMap`, `descendingMap`, `subSet`",
                List.of(
                        entry(sorted.headMap("b"), TreeMap.class),
                        entry(sorted.descendingMap(), TreeMap.class),
                        entry(new TreeSet<>(list).tailSet(2), TreeSet.class)));
    }

    /** What is refused, by row: a value, or a type that an interface names, and the words that tell it. */
    private static Map<String, Map<Object, String>> refused() {
        Object anonymous = new Object() {};
        Comparator<String> lambda = (a, b) -> 0;
        return Map.of(
                "lambdas, anonymous, local and inner classes",
                Map.of(lambda, "a lambda", anonymous, "an anonymous or local class"),
                "`Thread`, `Class`, `InputStream` and other types that are no values",
                Map.of(Thread.class, "is not a value and cannot be sent", Class.class, "is not a value"),
                "subclasses of the JDK's collections",
                Map.of(OwnList.class, "extends java.util.ArrayList, whose state cannot be read"),
                "views of an `IdentityHashMap`, `newSetFromMap`",
                Map.of(
                        new IdentityHashMap<>(map()).keySet(),
                        "neither named",
                        Collections.newSetFromMap(new IdentityHashMap<>()),
                        "neither named"),
                "bounded queues",
                Map.of(new LinkedBlockingQueue<>(3), "with a bound"),
                "a `Pattern` with `CANON_EQ`",
                Map.of(Pattern.compile("a", Pattern.CANON_EQ), "CANON_EQ"),
                "an `Error` of the process: `OutOfMemoryError`, `LinkageError`",
                Map.of());
    }

    private static Map<String, Integer> map() {
        return Map.of("a", 1);
    }

    static Stream<Object> values() throws IOException {
        return same().values().stream().flatMap(List::stream);
    }

    private static Bench bench() {
        return Bench.allowing(
                List.of(Descending.class, Character.UnicodeScript.class),
                Point.class,
                Bean.class,
                Colour.class,
                ShopException.class,
                Object.class);
    }

    @ParameterizedTest
    @MethodSource("values")
    void arrivesEqualAndOfItsClass(Object value) {
        Object copy = bench().copy(value);

        assertThat(copy.getClass()).isEqualTo(value.getClass());
        if (value instanceof Throwable thrown) {
            assertThat((Throwable) copy).hasMessage(thrown.getMessage()).hasRootCauseMessage("disk");
        } else if (value instanceof IdentityHashMap<?, ?>
                || value instanceof java.util.Queue<?>
                || value.getClass().getName().endsWith("Collection")
                || value.getClass().getName().contains("atomic")
                || value instanceof StringBuilder
                || value instanceof StringBuffer
                || value instanceof URL) {
            assertThat(copy).hasToString(value.toString()); // their equals is that of Object, or asks the network
        } else if (value instanceof Pattern pattern) {
            assertThat(((Pattern) copy).flags()).isEqualTo(pattern.flags());
            assertThat(copy).hasToString(value.toString());
        } else {
            assertThat(copy).isEqualTo(value);
        }
        if (value instanceof SortedMap<?, ?> sorted) {
            assertThat(((SortedMap<?, ?>) copy).comparator()).isEqualTo(sorted.comparator());
            assertThat(copy).hasToString(value.toString());
        }
        if (value instanceof Properties own) {
            assertThat(((Properties) copy).getProperty("hidden")).isEqualTo(own.getProperty("hidden"));
        }
        if (value instanceof InetSocketAddress own) {
            assertThat(((InetSocketAddress) copy).isUnresolved()).isEqualTo(own.isUnresolved());
            assertThat(((InetSocketAddress) copy).getHostString()).isEqualTo(own.getHostString());
        }
    }

    @Test
    void viewsArriveAsCopies() {
        copies().values()
                .forEach(row -> row.forEach(each -> {
                    Object copy = bench().copy(each.getKey());

                    assertThat(copy.getClass())
                            .as(each.getKey().getClass().getName())
                            .isEqualTo(each.getValue());
                    assertThat(copy).hasToString(each.getKey().toString());
                }));
    }

    @Test
    void othersAreRefusedByName() {
        refused()
                .values()
                .forEach(row -> row.forEach((value, words) -> assertThatThrownBy(() -> {
                            if (value instanceof Class<?> type) {
                                Bench.policy(List.of(), type);
                            } else {
                                bench().write(value);
                            }
                        })
                        .hasMessageContaining(words)));
    }

    @Test
    void thePageHasTheRowsThatAreTested() throws IOException {
        List<String> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(Path.of("../docs/values.md"))) {
            if (inTable && line.startsWith("| ") && !line.startsWith("| ---")) {
                rows.add(line.substring(2, line.indexOf(" |", 2)));
            }
            inTable = line.startsWith("| values |") || inTable && line.startsWith("|");
        }
        List<String> tested = new ArrayList<>(same().keySet());
        tested.addAll(copies().keySet());
        tested.addAll(refused().keySet());

        assertThat(rows).containsExactlyInAnyOrderElementsOf(tested);
    }

    @Test
    void errorsOfTheProcessArriveAsText() {
        assertThat(bench().thrown(new OutOfMemoryError("x"))).isInstanceOf(dev.cleave.RemoteFailureException.class);
    }

    @Test
    void urlsAreNeverHashedSinceThatAsksTheNetwork() throws IOException {
        Object set = Set.of(new URL("http://127.0.0.1/"));

        assertThatThrownBy(() -> bench().copy(set)).hasMessageContaining("a java.net.URL is hashed or compared");
    }

    @Test
    void quietWritersTakeNoViewsAndNoLocks() {
        for (Object loud : List.of(
                new ArrayList<>(List.of(1, 2)).subList(0, 1),
                new HashMap<>(Map.of(1, 2)).keySet(),
                Collections.synchronizedList(new ArrayList<>()),
                Collections.unmodifiableMap(new HashMap<>()),
                new Properties(),
                new StringBuffer())) {
            Bench bench = bench();
            ValueWriter writer = bench.codec().quietWriter(io.netty.buffer.Unpooled.buffer());
            writer.putObject(loud);

            assertThatThrownBy(() -> writer.finish(i -> "x")).hasMessageContaining("cannot be sent ahead");
        }
    }
}
