package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterators;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops over elements of another node send the calls of those that have arrived, and wait for no other (R34). */
@Tag("one-jdk")
@Timeout(120)
public class ArrivingElementsTest {

    private static final int COUNT = 60;
    private static final long PATIENCE = 60_000_000_000L;

    /** An element that takes so long ends its batch. */
    private static final long GATHERED = 3_000_000;

    /** How far the program has come, as it writes it. */
    public static final class Progress {
        public static int at;

        private Progress() {}
    }

    private static final VarHandle AT;

    static {
        try {
            AT = MethodHandles.lookup().findStaticVarHandle(Progress.class, "at", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static int at() {
        return (int) AT.getOpaque();
    }

    /** Gives elements. */
    @Remote
    public interface Feed {
        /** The numbers below a count. */
        @Async
        Iterable<Integer> numbers(int count, int failsAt);

        /** The same, to be taken once. */
        @Async
        Iterator<Integer> pending(int count, int failsAt);

        /** The same, as a stream. */
        @Async
        Stream<Integer> stream(int count, int failsAt);
    }

    /** Is asked about each. */
    @Remote
    public interface Tax {
        /** A rate. */
        @Async
        int rate(int number);
    }

    private static final String FORM = "import dev.cleave.agent.later.ArrivingElementsTest;\n"
            + "import dev.cleave.agent.later.ArrivingElementsTest.*;\npublic class Caller {\n"
            + "public static int each(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
            + "for (Integer r : f.numbers(n, bad)) { x = x * 31 + t.rate(r); Progress.at = r; } return x; }\n"
            + "public static int cut(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
            + "for (Integer r : f.numbers(n, bad)) { if (r == 7) break; x = x * 31 + t.rate(r); Progress.at = r; } return x; }\n"
            + "public static int asked(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
            + "java.util.Iterator<Integer> i = f.numbers(n, bad).iterator();\n"
            + "while (n != -1 && i.hasNext()) { Integer r = i.next(); x = x * 31 + t.rate(r); Progress.at = r; } return x; }\n"
            + "public static int rated(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
            + "for (Integer r : f.numbers(n, bad)) { x = x * 31 + t.rate(r) + t.rate(t.rate(r)); Progress.at = r; } return x; }\n"
            + streaming(
                    "mapped",
                    "f.stream(n, bad).mapToInt(r -> {int y = t.rate(r); Progress.at = r; return y;}).reduce(0, (a, b) -> a * 31 + b)")
            + streaming(
                    "filtered",
                    "f.stream(n, bad).filter(r -> r < 59).map(t::rate).peek(y -> Progress.at = y / 7).reduce(0, (a, b) -> a * 31 + b)")
            + streaming(
                    "twoStages",
                    "f.stream(n, bad).map(r -> t.rate(r)).map(y -> t.rate(y)).peek(y -> Progress.at++).reduce(0, (a, b) -> a * 31 + b)")
            + streaming(
                    "first",
                    "f.stream(n, bad).limit(5).mapToInt(r -> {int y = t.rate(r); Progress.at = r; return y;}).sum()")
            + streaming(
                    "collected",
                    "f.stream(n, bad).collect(java.util.stream.Collectors.summingInt(r -> {int y = t.rate(r); Progress.at = r; return y;}))")
            + streaming(
                    "chosen",
                    "f.stream(n, bad).mapToInt(r -> {int y = t.rate(r); Progress.at = r; return r % 2 == 0 ? y : t.rate(y);}).sum()")
            + streaming("walked", "walk(f.stream(n, bad), t)")
            + "static int walk(java.util.stream.Stream<Integer> all, Tax t) { return all.mapToInt(r -> {int y = t.rate(r); Progress.at = r; return y;}).sum(); }\n"
            + "public static int closing(Feed f, Tax t, int n, int bad) { Progress.at = -1;\n"
            + "try (java.util.stream.Stream<Integer> all = f.stream(n, bad)) { int[] x = {0};\n"
            + "all.forEach(r -> { x[0] = x[0] * 31 + t.rate(r); Progress.at = r; }); return x[0]; } }\n"
            + iterating("once", "", "i.hasNext()", "")
            + iterating("left", "", "i.hasNext()", "if (r == 7) break;")
            + iterating("askedOnce", "", "n != -1 && i.hasNext()", "")
            + iterating("begun", "if (i.hasNext()) Progress.at = i.next();", "i.hasNext()", "")
            + iterating(
                    "shared",
                    "all.add(i);",
                    "i.hasNext()",
                    "if (r == 3) { Progress.at = ((java.util.Iterator<Integer>) all.get(0)).next(); }")
            + iterating("skipped", "", "i.hasNext()", "if (r == 3) { i.forEachRemaining(e -> Progress.at = e); }")
            + iterating(
                    "two",
                    "java.util.Iterator<Integer> j = java.util.List.of(1, 2, 3).iterator();",
                    "i.hasNext() && j.hasNext()",
                    "x += j.next();")
            + "public static int again(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
            + "java.util.Iterator<Integer> i = f.pending(n, bad); for (int k = 0; k < 3; k++) { while (i.hasNext()) {\n"
            + "Integer r = i.next(); if (r == 9) break; x = x * 31 + t.rate(r); Progress.at = r; } } return x; }\n}\n";

    private static String streaming(String name, String value) {
        return "public static int " + name + "(Feed f, Tax t, int n, int bad) { Progress.at = -1; return " + value
                + "; }\n";
    }

    /** A method that takes elements from an iterator of another node. */
    private static String iterating(String name, String before, String asked, String first) {
        return "public static int " + name + "(Feed f, Tax t, int n, int bad) { int x = 0; Progress.at = -1;\n"
                + "java.util.List<Object> all = new java.util.ArrayList<>();\n"
                + "java.util.Iterator<Integer> i = f.pending(n, bad); " + before + "\n"
                + "while (" + asked + ") { Integer r = i.next(); " + first
                + " x = x * 31 + t.rate(r); Progress.at = Math.max(Progress.at, r); } return x; }\n"; // other code may
        // have taken
        // later ones
    }

    private final LaterPrograms programs = new LaterPrograms(Map.of("p.Caller", "package p;\n" + FORM));
    private final Transport transport = LocalTransport.create();
    private final FakeBroker broker = FakeBroker.start(transport, Endpoint.local("broker-" + UUID.randomUUID()));
    private final AtomicInteger ahead = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile boolean isClosed;
    private Node server;
    private Node client;

    @BeforeEach
    void connect() {
        server = node("server");
        server.bind("feed", new Numbers());
        server.bind("tax", (Tax) number -> {
            asked.incrementAndGet();
            if (at() < number - 1) {
                ahead.incrementAndGet();
            }
            return number * 7 + 1;
        });
        client = node("client");
    }

    private Node node(String name) {
        return Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(transport));
    }

    private final class Numbers implements Feed {

        @Override
        public Iterable<Integer> numbers(int count, int failsAt) {
            return () -> ArrivingElementsTest.this.numbers(count, failsAt);
        }

        @Override
        public Iterator<Integer> pending(int count, int failsAt) {
            return ArrivingElementsTest.this.numbers(count, failsAt);
        }

        @Override
        public Stream<Integer> stream(int count, int failsAt) {
            return StreamSupport.stream(
                            Spliterators.spliteratorUnknownSize(ArrivingElementsTest.this.numbers(count, failsAt), 0),
                            false)
                    .onClose(closed::incrementAndGet);
        }
    }

    /** Each odd number is made when the program has dealt with all before it, and travels with the even one behind it. */
    private Iterator<Integer> numbers(int count, int failsAt) {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public Integer next() {
                if (next == failsAt) {
                    throw new ArithmeticException("at " + next);
                }
                long since = System.nanoTime();
                while (!isClosed && (next % 2 == 1 ? at() < next - 1 : System.nanoTime() - since < GATHERED)) {
                    Thread.yield();
                }
                return next++;
            }
        };
    }

    @AfterEach
    void close() {
        isClosed = true;
        client.close();
        server.close();
        broker.close();
        transport.close();
    }

    private String run(Class<?> program, String method, int failsAt) throws ReflectiveOperationException {
        return run(client.lookup("feed", Feed.class), program, method, failsAt);
    }

    private String run(Feed feed, Class<?> program, String method, int failsAt) throws ReflectiveOperationException {
        Tax tax = client.lookup("tax", Tax.class);
        try {
            return "value "
                    + program.getMethod(method, Feed.class, Tax.class, int.class, int.class)
                            .invoke(null, feed, tax, COUNT, failsAt);
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
    }

    @Test
    void callsOfElementsThatHaveArrivedAreSent() throws Exception {
        String expected = run(programs.written("p.Caller"), "each", -1);
        assertThat(ahead).hasValue(0);

        assertThat(run(programs.loaded("p.Caller"), "each", -1)).isEqualTo(expected);

        assertThat(ahead).hasPositiveValue();
        assertThat(asked).hasValue(2 * COUNT);
    }

    @Test
    void aFailureComesBehindTheElementsBeforeIt() throws Exception {
        String expected = run(programs.written("p.Caller"), "each", 5);
        assertThat(expected).isEqualTo("java.lang.ArithmeticException: at 5");
        assertThat(at()).isEqualTo(4);

        assertThat(run(programs.loaded("p.Caller"), "each", 5)).isEqualTo(expected);

        assertThat(at()).isEqualTo(4);
        assertThat(asked).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "filtered", "closing"})
    void callsOfElementsOfAStreamThatHaveArrivedAreSent(String method) throws Exception {
        String expected = run(programs.written("p.Caller"), method, -1);
        int calls = asked.getAndSet(0);
        assertThat(ahead).hasValue(0);

        assertThat(run(programs.loaded("p.Caller"), method, -1)).isEqualTo(expected);

        assertThat(ahead).hasPositiveValue();
        assertThat(asked).hasValue(calls);
        long until = System.nanoTime() + PATIENCE;
        while (closed.get() < 2 && System.nanoTime() < until) {
            Thread.yield();
        }
        assertThat(closed).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "filtered", "twoStages", "closing", "first", "collected", "chosen", "walked"})
    void streamsOfAnotherNodeDoTheSameWithAndWithoutAFailure(String method) throws Exception {
        for (int failsAt : new int[] {-1, 0, 1, 7}) {
            asked.set(0);
            String expected = run(programs.written("p.Caller"), method, failsAt);
            int at = at();
            int calls = asked.getAndSet(0);

            assertThat(run(programs.loaded("p.Caller"), method, failsAt)).isEqualTo(expected);

            assertThat(at()).as("failing at %d", failsAt).isEqualTo(at);
            assertThat(asked).as("failing at %d", failsAt).hasValue(calls);
        }
    }

    @Test
    void aLoopThatIsLeftDoesTheSame() throws Exception {
        String expected = run(programs.written("p.Caller"), "cut", -1);

        assertThat(run(programs.loaded("p.Caller"), "cut", -1)).isEqualTo(expected);

        assertThat(at()).isEqualTo(6);
        assertThat(asked).hasValue(14);
    }

    @Test
    void whereThePassDoesSomethingElseFirstNothingIsSentAhead() throws Exception {
        String expected = run(programs.written("p.Caller"), "asked", -1);

        assertThat(run(programs.loaded("p.Caller"), "asked", -1)).isEqualTo(expected);

        assertThat(ahead).hasValue(0);
    }

    @Test
    void callsOfElementsOfAnIteratorThatHaveArrivedAreSent() throws Exception {
        String expected = run(programs.written("p.Caller"), "once", -1);
        assertThat(ahead).hasValue(0);

        assertThat(run(programs.loaded("p.Caller"), "once", -1)).isEqualTo(expected);

        assertThat(ahead).hasPositiveValue();
        assertThat(asked).hasValue(2 * COUNT);
    }

    @Test
    void aFailureOfAnIteratorComesBehindTheElementsBeforeIt() throws Exception {
        String expected = run(programs.written("p.Caller"), "once", 5);
        assertThat(expected).isEqualTo("java.lang.ArithmeticException: at 5");

        assertThat(run(programs.loaded("p.Caller"), "once", 5)).isEqualTo(expected);

        assertThat(at()).isEqualTo(4);
        assertThat(asked).hasValue(10);
    }

    @Test
    void aLoopOverAnIteratorThatIsLeftDoesTheSame() throws Exception {
        String expected = run(programs.written("p.Caller"), "left", -1);

        assertThat(run(programs.loaded("p.Caller"), "left", -1)).isEqualTo(expected);

        assertThat(at()).isEqualTo(6);
        assertThat(asked).hasValue(14);
    }

    /** Asked for something else first, begun before, known to other code, skipped, beside another one, or entered again. */
    @ParameterizedTest
    @ValueSource(strings = {"askedOnce", "begun", "shared", "skipped", "two", "again"})
    void iteratorsThatTheCopyCannotFollowStay(String method) throws Exception {
        String expected = run(programs.written("p.Caller"), method, -1);
        int calls = asked.getAndSet(0);
        int early = ahead.getAndSet(0); // as written: of elements that the program passes over

        assertThat(run(programs.loaded("p.Caller"), method, -1)).isEqualTo(expected);

        assertThat(ahead).hasValue(early);
        assertThat(asked).hasValue(calls);
    }

    @Test
    void theIteratorOfALocalObjectIsNotFollowed() throws Exception {
        Feed local = new Numbers();
        String expected = run(local, programs.written("p.Caller"), "once", -1);

        assertThat(run(local, programs.loaded("p.Caller"), "once", -1)).isEqualTo(expected);

        assertThat(ahead).hasValue(0);
        assertThat(asked).hasValue(2 * COUNT);
    }

    /** The second stage looks at results of the first one; both follow the same elements. */
    @Test
    void eachStageFollowsTheElements() throws Exception {
        String expected = run(programs.written("p.Caller"), "rated", -1);
        assertThat(ahead.getAndSet(0)).isLessThanOrEqualTo(COUNT); // rates of rates are greater than the elements
        int calls = asked.getAndSet(0);

        assertThat(run(programs.loaded("p.Caller"), "rated", -1)).isEqualTo(expected);

        assertThat(ahead).hasValueGreaterThan(COUNT);
        assertThat(asked).hasValue(calls);
    }
}
