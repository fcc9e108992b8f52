package dev.cleave.examples.chained;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.Chained;
import dev.cleave.Remote;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs with chained calls, as written and woven, against real nodes: the server's log is always the same. */
@Timeout(120)
class ChainedCallsTest {

    private static final int CALLS = 1_000;

    /** Keeps a book. */
    @Remote
    @Chained
    public interface Ledger {

        /** Enters something. */
        void put(int entry);

        /** Enters something and says what to add. */
        int next(int entry);
    }

    /** What is run both ways. */
    public interface Program {

        /** Makes calls; returns what it has computed. */
        Object run(Ledger ledger, int calls);
    }

    /** A loop of calls without a result. */
    public static final class Putting implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            for (int i = 0; i < calls; i++) {
                ledger.put(i);
            }
            return calls;
        }
    }

    /** A loop of calls with results. */
    public static final class Adding implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum = sum * 31 + ledger.next(i);
            }
            return sum;
        }
    }

    /** A loop that gets over failures. */
    public static final class Tolerating implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int failures = 0;
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                try {
                    sum = sum * 31 + ledger.next(i);
                } catch (IllegalStateException e) {
                    failures++;
                }
            }
            return sum + " and " + failures + " failures";
        }
    }

    /** Calls in a row. */
    public static final class Row implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int a = ledger.next(1);
            ledger.put(a);
            int b = ledger.next(2);
            ledger.put(3);
            return a + b + ledger.next(4);
        }
    }

    /** Writes down what it executes. */
    private static final class WrittenLedger implements Ledger {

        private final List<Integer> entries = new ArrayList<>(); // guarded by itself
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile Semaphore gate = new Semaphore(Integer.MAX_VALUE);
        private volatile int failing = -1;

        @Override
        public void put(int entry) {
            next(entry);
        }

        @Override
        public int next(int entry) {
            gate.acquireUninterruptibly();
            synchronized (entries) {
                entries.add(entry);
            }
            entered.countDown();
            if (entry == failing) {
                throw new IllegalStateException("entry " + entry);
            }
            return entry * 7 % 13;
        }

        List<Integer> entries() {
            synchronized (entries) {
                return List.copyOf(entries);
            }
        }

        void clear() {
            synchronized (entries) {
                entries.clear();
            }
        }
    }

    private final List<AutoCloseable> open = new ArrayList<>();
    private final WrittenLedger served = new WrittenLedger();
    private Broker broker;

    @BeforeEach
    void start() {
        broker = broker("direct");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        broker.close();
    }

    private static Broker broker(String route) {
        Bindings bindings = Bindings.parse("services: {ledger: {route: " + route + "}}", "cleave.yaml");
        return Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings));
    }

    private void route(String route) {
        broker.close();
        broker = broker(route);
    }

    private Node node(String name, Transport transport) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(transport));
        open.add(node);
        return node;
    }

    private Ledger lookup() {
        return node("client", null).lookup("ledger", Ledger.class);
    }

    static Program woven(Program program) {
        return woven(program, Program.class);
    }

    /** A program as the agent rewrites it. */
    static <T> T woven(T program, Class<T> type) {
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        String name = program.getClass().getName();
        ClassLoader outer = ChainedCallsTest.class.getClassLoader();
        byte[] written = ClassFileSource.ofResources(outer, name.replace('.', '/'));
        byte[] woven = new Weaver(index, ClassFileSource::ofResources)
                .weave(outer, written)
                .classFile();
        assertThat(woven).isNotEqualTo(written);
        ClassLoader loader = new ClassLoader(outer) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                return wanted.equals(name)
                        ? defineClass(name, woven, 0, woven.length)
                        : super.loadClass(wanted, resolve);
            }
        };
        try {
            return type.cast(loader.loadClass(name).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static String outcome(Program program, Ledger ledger, int calls) {
        try {
            return "value " + program.run(ledger, calls);
        } catch (RuntimeException e) {
            return "threw " + e;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theServersLogIsThatOfTheProgramAsWrittenAlsoWhenACallFails(String route) {
        route(route);
        node("one", null).bind("ledger", served);
        node("two", null).bind("ledger", served);
        Ledger ledger = lookup();
        for (Program program : List.of(new Putting(), new Adding(), new Tolerating(), new Row())) {
            Program chained = woven(program);
            for (int failing : new int[] {-1, 0, 1, 2, 3, 17, 64, 199}) {
                served.failing = failing;
                served.clear();
                String expected = outcome(program, ledger, 200);
                List<Integer> log = served.entries();
                served.clear();

                String actual = outcome(chained, ledger, 200);

                String where = program.getClass().getSimpleName() + ", call " + failing + " fails";
                assertThat(actual).as(where).isEqualTo(expected);
                assertThat(served.entries()).as(where).isEqualTo(log);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void whenTheServerDiesInTheMiddleTheLogIsABeginningOfTheProgramAsWritten(String route) throws Exception {
        route(route);
        served.gate = new Semaphore(40);
        Node server = node("one", null);
        server.bind("ledger", served);
        Ledger ledger = lookup();
        Thread killer = new Thread(() -> {
            while (served.entries().size() < 40 || !served.gate.hasQueuedThreads()) {
                Thread.onSpinWait();
            }
            server.close();
            served.gate.release(1_000);
        });
        killer.start();
        Throwable thrown = null;
        try {
            woven(new Putting()).run(ledger, CALLS);
        } catch (CallException e) {
            thrown = e;
        }
        killer.join();

        assertThat(thrown).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.maybeExecuted())
                .isTrue());
        assertThat(served.entries())
                .isEqualTo(IntStream.range(0, served.entries().size()).boxed().toList());
        assertThat(served.entries().size()).isBetween(40, 41);
    }

    /** Half of what a quiet machine shows; the search for leaked buffers costs more than the calls and is off meanwhile. */
    @Test
    void aThousandChainedCallsAreManyTimesFasterThanOneByOne() {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try (SystemTimer precise = SystemTimer.precise("link")) {
            Transport link = new LinkTransport(
                    NettyTransport.create(), new LinkProfile(Duration.ofNanos(500_000), 0, Duration.ZERO), precise);
            try (link) {
                node("one", null).bind("ledger", served);
                Node client = node("far", link);
                Ledger ledger = client.lookup("ledger", Ledger.class);
                Program written = new Putting();
                Program chained = woven(written);
                chained.run(ledger, CALLS);
                written.run(ledger, 50);
                double[] ratios = Stream.generate(() -> {
                            long oneByOne = nanos(written, ledger);
                            List<Integer> log = served.entries();
                            long together = nanos(chained, ledger);
                            assertThat(served.entries()).isEqualTo(log);
                            return (double) oneByOne / together;
                        })
                        .limit(5)
                        .mapToDouble(ratio -> ratio)
                        .sorted()
                        .toArray();

                System.out.printf(
                        "chained: %d calls over 1 ms, one by one / chained = %.1f (median of 5)%n", CALLS, ratios[2]);
                assertThat(ratios[2]).isGreaterThanOrEqualTo(10);
                client.close();
            }
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private long nanos(Program program, Ledger ledger) {
        served.clear();
        long begun = System.nanoTime();
        program.run(ledger, CALLS);
        return System.nanoTime() - begun;
    }
}
