package dev.cleave.agent.effect;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** Arguments and receivers with which rows of the effect table are tried. */
final class Samples {

    private static final Map<Class<?>, Object[]> PLAIN = Map.ofEntries(
            Map.entry(boolean.class, new Object[] {true, false}),
            Map.entry(byte.class, new Object[] {(byte) 0, (byte) -1}),
            Map.entry(char.class, new Object[] {'a', '\0', '\uD83D'}),
            Map.entry(short.class, new Object[] {(short) 0, (short) -1}),
            Map.entry(float.class, new Object[] {0f, -1f, Float.NaN}),
            Map.entry(double.class, new Object[] {0.0, -1.5, Double.NaN, 1e300}),
            Map.entry(String.class, new Object[] {"", "a", "12", null}),
            Map.entry(Class.class, new Object[] {String.class, int.class, null}),
            Map.entry(BigInteger.class, new Object[] {BigInteger.ZERO, BigInteger.valueOf(-7), null}),
            Map.entry(BigDecimal.class, new Object[] {BigDecimal.ZERO, new BigDecimal("1.5"), null}),
            Map.entry(MathContext.class, new Object[] {MathContext.DECIMAL32, MathContext.UNLIMITED, null}),
            Map.entry(Duration.class, new Object[] {Duration.ZERO, Duration.ofSeconds(3), null}),
            Map.entry(Instant.class, new Object[] {Instant.EPOCH, Instant.MAX, null}),
            Map.entry(LocalDate.class, new Object[] {LocalDate.EPOCH, LocalDate.MAX, null}),
            Map.entry(Locale.class, new Object[] {Locale.ROOT, null}),
            Map.entry(UUID.class, new Object[] {new UUID(1, 2), null}),
            Map.entry(java.nio.charset.Charset.class, new Object[] {StandardCharsets.UTF_8, null}));

    private static final Object[] SMALL_INTS = {0, 1, -1, 2};
    private static final Object[] INTS = {0, 1, -1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE};
    private static final Object[] SMALL_LONGS = {0L, 1L, -1L};
    private static final Object[] LONGS = {0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE};

    /** Classes whose methods make nothing of the size of a number. */
    private static final Set<String> ARITHMETIC = Set.of(
            "java/lang/Math", "java/lang/StrictMath", "java/lang/Integer", "java/lang/Long", "java/lang/Character");

    private Samples() {}

    /** Arguments of a type, made anew each time; a null among them where the type allows it. */
    static List<Object> arguments(Class<?> type, String owner, Recorder recorder) {
        boolean isArithmetic = ARITHMETIC.contains(owner);
        if (type == int.class) {
            return Arrays.asList(isArithmetic ? INTS : SMALL_INTS);
        }
        if (type == long.class) {
            return Arrays.asList(isArithmetic ? LONGS : SMALL_LONGS);
        }
        Object[] plain = PLAIN.get(type);
        if (plain != null) {
            return Arrays.asList(plain);
        }
        List<Object> samples = new ArrayList<>();
        samples.add(null);
        if (type.isArray()) {
            samples.add(array(type.getComponentType(), owner, recorder));
        } else if (type == Object.class) {
            samples.add(recorder.object());
            samples.add("a");
        } else if (type.isInterface()) {
            samples.add(Proxy.newProxyInstance(
                    Samples.class.getClassLoader(), new Class<?>[] {type, Comparable.class}, recorder.handler(type)));
        }
        if (type == Collection.class) {
            samples.add(new ArrayList<>(List.of(recorder.object())));
        }
        if (type != Object.class) {
            for (Supplier<?> maker : receiverMakers(type)) {
                samples.add(maker.get());
            }
        }
        return samples;
    }

    private static Object array(Class<?> component, String owner, Recorder recorder) {
        List<Object> elements = arguments(component, owner, recorder);
        Object array = Array.newInstance(component, 3);
        for (int i = 0; i < 3; i++) {
            Object element = elements.get(i % elements.size());
            if (element != null) {
                Array.set(array, i, element);
            }
        }
        return array;
    }

    /** How objects of a class are made on which its methods are tried: each with and without contents. */
    static List<Supplier<?>> receiverMakers(Class<?> type) {
        List<Supplier<?>> makers = new ArrayList<>();
        for (Supplier<?> maker : RECEIVERS) {
            if (type.isInstance(maker.get())) {
                makers.add(maker);
            }
        }
        return makers;
    }

    private static final Object ELEMENT = "e";

    private static ListIterator<String> iteratorBehindFirst() {
        ListIterator<String> iterator = new ArrayList<>(List.of("a", "b")).listIterator();
        iterator.next();
        return iterator;
    }

    private static final List<Supplier<?>> RECEIVERS = List.of(
            () -> "text",
            () -> "",
            () -> new StringBuilder("text"),
            () -> new StringBuilder(),
            () -> new StringBuffer("text"),
            () -> 7,
            () -> 7L,
            () -> (short) 7,
            () -> (byte) 7,
            () -> 7.5f,
            () -> 7.5,
            () -> true,
            () -> 'c',
            () -> new BigInteger("12345678901234567890"),
            () -> new BigDecimal("12.50"),
            () -> Duration.ofMillis(1500),
            () -> Instant.EPOCH,
            () -> LocalDate.EPOCH,
            () -> new UUID(1, 2),
            () -> new Date(5),
            () -> new PriorityQueue<>(List.of("c", "a", "b")),
            () -> new PriorityQueue<>(),
            () -> iteratorBehindFirst(),
            () -> Optional.of("a"),
            () -> Optional.empty(),
            () -> String.class,
            () -> Thread.State.NEW,
            () -> new IllegalStateException("text", new RuntimeException()),
            () -> new StackTraceElement("A", "b", "A.java", 3),
            () -> new BitSet(70),
            () -> filled(new BitSet(), 3),
            () -> new StringJoiner(","),
            () -> new StringJoiner(",").add("a"),
            () -> new Object(),
            () -> new java.util.StringTokenizer("a b"),
            () -> new java.io.PrintStream(java.io.OutputStream.nullOutputStream()),
            () -> filled(new ArrayList<>()),
            () -> new ArrayList<>(),
            () -> filled(new LinkedList<>()),
            () -> filled(new ArrayDeque<>()),
            () -> filled(new HashSet<>()),
            () -> filled(new LinkedHashSet<>()),
            () -> filled(new HashMap<>()),
            () -> new HashMap<>(),
            () -> filled(new LinkedHashMap<>()),
            () -> filled(new TreeMap<>()),
            () -> Arrays.asList(ELEMENT, "f"),
            () -> List.of(ELEMENT, "f"),
            () -> List.of(),
            () -> Set.of(),
            () -> filled(new HashMap<>()).entrySet().iterator().next(),
            () -> filled(new HashMap<>()).keySet(),
            () -> filled(new HashMap<>()).values(),
            () -> filled(new HashMap<>()).entrySet(),
            () -> filled(new ArrayList<>()).iterator(),
            () -> filled(new LinkedList<>()).listIterator(),
            () -> filled(new HashMap<>()).keySet().iterator());

    private static <C extends Collection<Object>> C filled(C collection) {
        collection.add(ELEMENT);
        collection.add("f");
        collection.add("g");
        return collection;
    }

    private static Map<Object, Object> filled(Map<Object, Object> map) {
        map.put(ELEMENT, 1);
        map.put("f", 2);
        return map;
    }

    private static BitSet filled(BitSet bits, int bit) {
        bits.set(bit);
        return bits;
    }
}
