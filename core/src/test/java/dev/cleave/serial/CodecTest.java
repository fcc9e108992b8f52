package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.RemoteFailureException;
import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CodecTest {

    enum Colour {
        RED,
        GREEN {
            @Override
            String code() {
                return "g";
            }
        };

        String code() {
            return "?";
        }
    }

    record Item(String name, int count, long price, double weight, List<Item> parts, Colour colour) {
        Item {
            if (count < 0) {
                throw new IllegalArgumentException("count: " + count);
            }
        }
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    static class Base {
        private final String tag;

        Base(String tag) {
            this.tag = tag;
        }
    }

    static final class Node extends Base {
        boolean flag = true;
        byte b = 1;
        char c = 'x';
        short s = 2;
        float f = 3;
        int[] numbers = {1, 2, 3};
        Node next;
        Object any;
        transient String skipped = "skipped";

        Node(String tag) {
            super(tag);
        }
    }

    static final class Secret {
        int x;
    }

    static final class ShopException extends Exception {
        private static final long serialVersionUID = 1;
        final int code;

        ShopException(String message, int code, Throwable cause) {
            super(message, cause);
            this.code = code;
        }

        @Override
        public String getMessage() {
            return super.getMessage() + " (code " + code + ")";
        }
    }

    static final class HiddenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        HiddenException(String message) {
            super(message);
        }
    }

    static Stream<Object> values() {
        return Stream.of(
                1,
                2L,
                'c',
                true,
                (byte) 3,
                (short) 4,
                1.5f,
                2.5,
                "text",
                "",
                "\u00e4\u20ac\ud800 unpaired",
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("1.25"),
                UUID.nameUUIDFromBytes(new byte[] {1}),
                Duration.ofMillis(5),
                Instant.EPOCH,
                LocalDate.of(2026, 11, 20),
                ZonedDateTime.parse("2026-11-20T10:00:00+01:00[Europe/Berlin]"),
                Optional.of("x"),
                Optional.empty(),
                List.of(),
                List.of(1),
                List.of(1, 2),
                List.of(1, 2, 3),
                Set.of(),
                Set.of(1),
                Set.of(1, 2, 3),
                Map.of(),
                Map.of("a", 1),
                Map.of("a", 1, "b", List.of(2)),
                Stream.of("a", null).toList(),
                Arrays.asList("a", null),
                new ArrayList<>(Arrays.asList(1, null, "x")),
                new TreeSet<>(List.of(3, 1, 2)),
                new TreeMap<>(Map.of("b", 1, "a", 2)),
                new LinkedHashMap<>(Map.of("k", "v")),
                new HashMap<>(Map.of("k", new HashMap<>(Map.of(1, 2)))),
                Collections.emptyList(),
                Collections.singletonList("x"),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
                new EnumMap<>(Map.of(Colour.GREEN, 1)),
                EnumSet.of(Colour.RED),
                EnumSet.noneOf(Colour.class),
                Colour.RED,
                Colour.GREEN,
                new Item("a", 1, 2, 3, List.of(new Item("b", 0, 0, 0, List.of(), null)), Colour.GREEN),
                new Circle(2));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesComeBackEqualAndOfTheirClass(Object value) {
        Bench bench = Bench.of(Item.class, Shape.class, Object.class);

        Object copy = bench.copy(value);

        assertThat(copy).isEqualTo(value);
        assertThat(copy.getClass()).isEqualTo(value.getClass());
    }

    @Test
    void nullComesBack() {
        assertThat(Bench.of(Item.class).copy((Object) null)).isNull();
    }

    @Test
    void arraysOfEveryKindComeBack() {
        Bench bench = Bench.of(Item.class, Object.class);
        Object[] arrays = {
            new boolean[] {true, false},
            new byte[] {1},
            new char[] {'\u20ac'},
            new short[] {-1},
            new int[] {1, -1},
            new long[] {Long.MIN_VALUE},
            new float[] {1.5f},
            new double[] {Double.NaN},
            new String[] {"a", null},
            new int[][] {{1}, null},
            new Item[0],
            new Object[] {1, "x"}
        };

        Object copy = bench.copy(arrays);

        assertThat(Arrays.deepEquals((Object[]) copy, arrays)).isTrue();
        assertThat(((Object[]) copy)[8]).isInstanceOf(String[].class);
    }

    @Test
    void largeArraysMayContainThemselves() {
        Object[] self = new Object[3000];
        self[2999] = self;

        Object[] copy = Bench.of(Object[].class).copy(self);

        assertThat(copy).hasSize(3000);
        assertThat(copy[2999]).isSameAs(copy);
    }

    @Test
    void objectsWithoutFittingConstructorKeepFieldsSharingAndCycles() {
        Node node = new Node("n");
        node.next = node;
        node.any = node.numbers;
        node.flag = false;

        Node copy = Bench.of(Node.class).copy(node);

        assertThat(copy.next).isSameAs(copy);
        assertThat(copy.any).isSameAs(copy.numbers);
        assertThat(copy.numbers).containsExactly(1, 2, 3);
        assertThat(((Base) copy).tag).isEqualTo("n");
        assertThat(copy.flag).isFalse();
        assertThat(copy.skipped).isNull();
    }

    @Test
    void objectsAreSharedAcrossTheArgumentsOfOneCall() {
        Bench bench = Bench.of(Node.class);
        Node node = new Node("n");
        ByteBuf bytes = bench.write(node, List.of(node));

        try (ValueReader reader = bench.codec().reader(bytes, bench.names())) {
            Object first = reader.takeObject();
            Object second = reader.takeObject();

            assertThat(((List<?>) second).get(0)).isSameAs(first);
            assertThat(reader.isAtEnd()).isTrue();
        }
    }

    @Test
    void comparatorsOfTheJdkKeepTheOrder() {
        TreeSet<String> set = new TreeSet<>(Comparator.reverseOrder());
        set.addAll(List.of("a", "b"));

        TreeSet<String> copy = Bench.of(Object.class).copy(set);
        copy.add("c");

        assertThat(copy).containsExactly("c", "b", "a");
    }

    @Test
    void exceptionsArriveAsThemselvesWithStackCauseSuppressedAndFields() {
        Bench bench = Bench.of(ShopException.class);
        ShopException thrown = new ShopException("sold out", 7, new IOException("disk"));
        thrown.addSuppressed(new IllegalStateException("also"));

        Throwable copy = bench.thrown(thrown);

        assertThat(copy).isInstanceOf(ShopException.class).hasMessage("sold out (code 7)");
        assertThat(((ShopException) copy).code).isEqualTo(7);
        assertThat(copy.getCause()).isInstanceOf(IOException.class).hasMessage("disk");
        assertThat(copy.getSuppressed()[0]).isInstanceOf(IllegalStateException.class);
        assertThat(copy.getStackTrace()).hasSameSizeAs(thrown.getStackTrace());
        assertThat(copy.getStackTrace()[0]).hasToString(thrown.getStackTrace()[0].toString());
    }

    @Test
    void exceptionsThatAreNotAllowedArriveAsText() {
        Throwable copy = Bench.of(ShopException.class).thrown(new HiddenException("psst"));

        assertThat(copy).isInstanceOf(RemoteFailureException.class);
        RemoteFailureException text = (RemoteFailureException) copy;
        assertThat(text.remoteClass()).isEqualTo(HiddenException.class.getName());
        assertThat(text.remoteMessage()).isEqualTo("psst");
        assertThat(text.remoteStack()).contains("CodecTest");
        assertThat(text.executed()).isTrue();
    }

    @Test
    void causesThatAreNotAllowedArriveAsText() {
        Throwable copy = Bench.of(ShopException.class).thrown(new ShopException("x", 1, new HiddenException("psst")));

        assertThat(copy.getCause()).isInstanceOf(RemoteFailureException.class).hasMessageContaining("psst");
    }

    @Test
    void exceptionsOfTheJdkAreAlwaysAllowed() {
        assertThat(Bench.of(int.class).thrown(new ArithmeticException("/ by zero")))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("/ by zero");
        assertThat(Bench.of(int.class).thrown(new AssertionError("broken"))).isInstanceOf(AssertionError.class);
    }

    @Test
    void refusesWhatIsNotNamed() {
        assertThatThrownBy(() -> Bench.of(Object.class).write("fine", new Secret()))
                .isInstanceOf(SerialException.class)
                .hasMessage("Shop.order: parameter 2: type dev.cleave.serial.CodecTest$Secret is neither named by the "
                        + "remote interface nor allowed (add it to 'allow' in the application file)");
    }

    @Test
    void refusesLambdasAndAnonymousClasses() {
        Function<String, String> lambda = s -> s;
        Object anonymous = new Object() {};

        assertThatThrownBy(() -> Bench.of(Object.class).write(lambda)).hasMessageContaining("a lambda");
        assertThatThrownBy(() -> Bench.of(Object.class).write(anonymous))
                .hasMessageContaining("anonymous or local class");
    }

    @Test
    void allowsWhatTheApplicationAllows() {
        Secret secret = new Secret();
        secret.x = 3;

        Secret copy = Bench.allowing(List.of(Secret.class), Object.class).copy(secret);

        assertThat(copy.x).isEqualTo(3);
    }

    @Test
    void refusesNestingBeyondTheBound() {
        Object nested = "x";
        for (int i = 0; i < 100; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        Object deep = nested;

        assertThatThrownBy(() -> Bench.of(Object.class).write(deep))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("Max depth exceeded: 64");
    }

    @Test
    void namesWhatCannotBeSentWhenThePolicyIsMade() {
        assertThatThrownBy(() -> Bench.policy(List.of(), InputStream.class))
                .hasMessage("Shop.order: parameter 1 (item): java.io.InputStream is not a value and cannot be sent");
        assertThatThrownBy(() -> Bench.policy(List.of(), Thread.class)).hasMessageContaining("java.lang.Thread");
        assertThatThrownBy(() -> Bench.policy(List.of(), Runnable.class)).hasMessageContaining("java.lang.Runnable");
    }

    static final class Names2 extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    final class Inner {}

    @Test
    void refusesClassesWhoseStateIsHidden() {
        assertThatThrownBy(() -> Bench.policy(List.of(), Names2.class))
                .hasMessageContaining("extends java.util.ArrayList");
        assertThatThrownBy(() -> Bench.policy(List.of(), Inner.class)).hasMessageContaining("make it static");
    }

    @Test
    void refusesWhatFitsIntoNoFrame() {
        ValueWriter direct = Bench.of(int.class).codec().writer(Unpooled.buffer());
        direct.putInt(1);
        direct.putLongs(new long[9 << 20]);
        direct.putInt(2);

        assertThatThrownBy(() -> direct.finish(i -> "nowhere"))
                .isInstanceOfSatisfying(
                        SerialException.class, e -> assertThat(e.reason()).isEqualTo(SerialException.Reason.TOO_LARGE))
                .hasMessageStartingWith("value of 75497472 bytes (expected: a frame of at most");
        Object large = new Object[] {new byte[40 << 20], new byte[40 << 20]};
        assertThatThrownBy(() -> Bench.of(Object.class).write(large))
                .isInstanceOfSatisfying(
                        SerialException.class, e -> assertThat(e.reason()).isEqualTo(SerialException.Reason.TOO_LARGE));
    }

    @Test
    void directValuesOfEveryKindComeBack() {
        Bench bench = Bench.of(int.class);
        ByteBuf bytes = Unpooled.buffer();
        ValueWriter writer = bench.codec().writer(bytes);
        writer.putBoolean(true);
        writer.putByte((byte) -1);
        writer.putChar('\u20ac');
        writer.putShort((short) -2);
        writer.putInt(-3);
        writer.putLong(-4);
        writer.putFloat(-5.5f);
        writer.putDouble(-6.5);
        writer.putString("\ud800\u20ac");
        writer.putString(null);
        writer.putBytes(new byte[] {1, 2});
        writer.putBytes(null);
        writer.putBooleans(new boolean[] {true, false});
        writer.putChars(new char[] {'a'});
        writer.putShorts(new short[] {1});
        writer.putInts(new int[] {1, -1});
        writer.putLongs(new long[] {2});
        writer.putFloats(new float[] {3});
        writer.putDoubles(new double[0]);
        writer.finish(i -> "");

        try (ValueReader reader = bench.codec().reader(bytes, bench.names())) {
            assertThat(reader.takeBoolean()).isTrue();
            assertThat(reader.takeByte()).isEqualTo((byte) -1);
            assertThat(reader.takeChar()).isEqualTo('\u20ac');
            assertThat(reader.takeShort()).isEqualTo((short) -2);
            assertThat(reader.takeInt()).isEqualTo(-3);
            assertThat(reader.takeLong()).isEqualTo(-4);
            assertThat(reader.takeFloat()).isEqualTo(-5.5f);
            assertThat(reader.takeDouble()).isEqualTo(-6.5);
            assertThat(reader.takeString()).isEqualTo("\ud800\u20ac");
            assertThat(reader.takeString()).isNull();
            assertThat(reader.takeBytes()).containsExactly(1, 2);
            assertThat(reader.takeBytes()).isNull();
            assertThat(reader.takeBooleans()).containsExactly(true, false);
            assertThat(reader.takeChars()).containsExactly('a');
            assertThat(reader.takeShorts()).containsExactly((short) 1);
            assertThat(reader.takeInts()).containsExactly(1, -1);
            assertThat(reader.takeLongs()).containsExactly(2L);
            assertThat(reader.takeFloats()).containsExactly(3f);
            assertThat(reader.takeDoubles()).isEmpty();
            assertThat(reader.isAtEnd()).isTrue();
        }
    }

    @Test
    void mutatedBytesEndInOneTypedFailureAndTripNoWire() {
        long seed = Seed.of(CodecTest.class);
        Random random = new Random(seed);
        Bench bench = Bench.of(Item.class, Node.class, Object.class);
        Node node = new Node("n");
        node.any = List.of(node.numbers, new TreeMap<>(Map.of("k", Set.of(1, 2))), Instant.EPOCH, "text");
        ByteBuf good = bench.write(node, new Item("a", 1, 2, 3, List.of(), Colour.RED));
        bench.names()
                .announced(
                        bench.names().size(),
                        List.of(
                                Tripwire.class.getName(),
                                "[L" + Tripwire.class.getName() + ";",
                                "javax.swing.JFrame",
                                "[[[["));
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[good.readableBytes()];
            good.getBytes(good.readerIndex(), bytes);
            for (int i = random.nextInt(4) + 1; i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length);
            try (ValueReader reader = bench.codec().reader(Unpooled.wrappedBuffer(bytes, 0, length), bench.names())) {
                reader.takeObject();
                reader.takeObject();
            } catch (SerialException expected) {
                assertThat(expected.getMessage()).isNotNull();
            } catch (Throwable other) {
                throw new AssertionError("seed " + seed + " round " + round, other);
            }
        }

        assertThat(Tripwire.Tripped.now).as("seed " + seed).isFalse();
    }

    @Test
    void neverAllocatesBeyondTheBytesThatAreThere() {
        Bench bench = Bench.of(Object.class);
        bench.write(new int[0], new Object[0], new ArrayList<>(), new HashMap<>(), List.of(1, 2, 3), "s");
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int type = 1; type <= bench.names().size(); type++) {
            byte[] bytes = {(byte) type, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0, 0, 0, 0};
            byte[] shifted = {(byte) type, 0, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0, 0, 0};
            for (byte[] attack : List.of(bytes, shifted)) {
                attempt(bench, attack);
                long before =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                attempt(bench, attack);
                long after =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());

                assertThat(after - before).as("type " + type).isLessThan(64 << 10);
            }
        }
    }

    private static void attempt(Bench bench, byte[] bytes) {
        try {
            bench.read(Unpooled.wrappedBuffer(bytes));
        } catch (SerialException expected) {
            assertThat(expected).isNotNull();
        }
    }
}
