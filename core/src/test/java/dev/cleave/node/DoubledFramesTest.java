package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Chained;
import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.OneWay;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.testing.DoublingTransport;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes twice over a connection, at once or behind later frames, is done once, both ways. */
@Tag("one-jdk")
@Timeout(120)
class DoubledFramesTest extends NodesUnderTest {

    private static final int CALLS = 200;
    private static final long SEED = Seed.of(DoubledFramesTest.class);

    /** Executes nothing twice. */
    @Remote
    interface Counted {

        int add(int number);

        int quick(int number);

        int fail(int number);

        @OneWay
        void note(int number);

        long sum(int number, double[] values);

        double[] values(int number, int count);

        int callBack(int number, Back back);

        @Async(group = "order")
        int inOrder(int number);

        int held(int number);
    }

    /** What is called back. */
    @Remote
    interface Back {

        int back(int number);
    }

    /** In chains. */
    @Remote
    @Chained
    interface Linked {

        int put(int number);
    }

    private static final class Counts implements Counted {

        final Map<Integer, Integer> executed = new ConcurrentHashMap<>();
        final List<Integer> order = new CopyOnWriteArrayList<>();
        final Semaphore gate = new Semaphore(0);

        @Override
        public int add(int number) {
            order.add(number);
            executed.merge(number, 1, Integer::sum);
            return 3 * number;
        }

        @Override
        @Inline
        public int quick(int number) {
            return add(number);
        }

        @Override
        public int fail(int number) {
            throw new IllegalStateException("number " + add(number));
        }

        @Override
        public void note(int number) {
            add(number);
        }

        @Override
        public long sum(int number, double[] values) {
            add(number);
            return (long) Arrays.stream(values).sum();
        }

        @Override
        public double[] values(int number, int count) {
            double[] values = new double[count];
            Arrays.fill(values, add(number));
            return values;
        }

        @Override
        public int callBack(int number, Back back) {
            return back.back(number) + add(number);
        }

        @Override
        public int inOrder(int number) {
            return add(number);
        }

        @Override
        public int held(int number) {
            gate.acquireUninterruptibly();
            return add(number);
        }

        void assertEachOnce(int calls) {
            assertThat(executed.values()).as("seed %s", SEED).hasSize(calls).containsOnly(1);
        }
    }

    private final Counts served = new Counts();
    private DoublingTransport doubling;

    @Override
    Transport transport() {
        // Not announcements, credit and references.
        doubling = new DoublingTransport(
                NettyTransport.create(),
                EnumSet.of(
                        FrameKind.REQUEST,
                        FrameKind.REPLY,
                        FrameKind.FAILURE,
                        FrameKind.CHUNK,
                        FrameKind.CANCEL,
                        FrameKind.LANE_END,
                        FrameKind.AWAITED,
                        FrameKind.SETTLED,
                        FrameKind.PING,
                        FrameKind.PONG),
                SEED);
        return doubling;
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private <T> T lookup(Class<T> type, Object object) {
        node(NodeOptions.DEFAULT.withName("server").withCapacity(4, 1024)).bind("counted", object);
        client = node(NodeOptions.DEFAULT.withName("client"));
        return client.lookup("counted", type);
    }

    private void assertDoubled(int calls) {
        served.assertEachOnce(calls);
        assertThat(doubling.doubled()).as("seed %s", SEED).isGreaterThan(calls);
    }

    @Test
    void plainCallsRunOnceAndEndWithTheirResult() {
        Counted counted = lookup(Counted.class, served);

        for (int i = 0; i < CALLS; i++) {
            assertThat(counted.add(i)).as("seed %s", SEED).isEqualTo(3 * i);
        }

        assertDoubled(CALLS);
    }

    @Test
    void callsOnTheEventThreadRunOnce() {
        Counted counted = lookup(Counted.class, served);

        for (int i = 0; i < CALLS; i++) {
            assertThat(counted.quick(i)).as("seed %s", SEED).isEqualTo(3 * i);
        }

        assertDoubled(CALLS);
    }

    @Test
    void callsThatThrowRunOnceAndThrowWhatTheyThrew() {
        Counted counted = lookup(Counted.class, served);

        for (int i = 0; i < CALLS; i++) {
            int number = i;
            assertThatThrownBy(() -> counted.fail(number)).hasMessageContaining("number " + 3 * number);
        }

        assertDoubled(CALLS);
    }

    @Test
    void oneWayCallsRunOnceAndInOrder() {
        Counted counted = lookup(Counted.class, served);

        for (int i = 0; i < CALLS; i++) {
            counted.note(i);
        }
        assertThat(counted.add(CALLS)).isEqualTo(3 * CALLS);

        assertThat(served.order)
                .as("seed %s", SEED)
                .isEqualTo(IntStream.rangeClosed(0, CALLS).boxed().toList());
        assertThat(client.oneWayFailures()).isZero();
        assertDoubled(CALLS + 1);
    }

    @Test
    void largeArgumentsAndResultsArriveOnce() {
        Counted counted = lookup(Counted.class, served);
        double[] large = IntStream.range(0, 30_000).asDoubleStream().toArray();
        long sum = (long) Arrays.stream(large).sum();

        for (int i = 0; i < 50; i++) {
            assertThat(counted.sum(i, large)).as("seed %s", SEED).isEqualTo(sum);
            assertThat(counted.values(-1 - i, 20_000)).hasSize(20_000).containsOnly(3 * (-1 - i));
        }

        assertDoubled(100);
    }

    @Test
    void callbacksRunOnce() {
        Counted counted = lookup(Counted.class, served);
        Counts called = new Counts();
        Back back = called::add;

        for (int i = 0; i < CALLS; i++) {
            assertThat(counted.callBack(i, back)).as("seed %s", SEED).isEqualTo(6 * i);
        }

        assertDoubled(CALLS);
        called.assertEachOnce(CALLS);
    }

    @Test
    void groupsKeepTheirOrder() {
        Counted counted = lookup(Counted.class, served);
        List<Pending<Integer>> sent = new ArrayList<>();

        for (int i = 0; i < CALLS; i++) {
            int number = i;
            sent.add(Cleave.async(() -> counted.inOrder(number)));
        }

        for (int i = 0; i < CALLS; i++) {
            assertThat(sent.get(i).await()).isEqualTo(3 * i);
        }
        assertThat(served.order)
                .as("seed %s", SEED)
                .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
        assertDoubled(CALLS);
    }

    @Test
    void chainsRunOnceAndInOrder() throws Throwable {
        Linked linked = lookup(Linked.class, (Linked) served::add);
        Chain chain = Chain.stopping();
        List<Handle> sent = new ArrayList<>();
        var send = linked.getClass().getMethod("put$chain", Chain.class, int.class);
        send.setAccessible(true);

        for (int i = 0; i < CALLS; i++) {
            sent.add((Handle) send.invoke(linked, chain, i));
        }

        for (int i = 0; i < CALLS; i++) {
            assertThat(sent.get(i).awaitInt()).isEqualTo(3 * i);
        }
        chain.end();
        assertThat(served.order)
                .as("seed %s", SEED)
                .isEqualTo(IntStream.range(0, CALLS).boxed().toList());
        assertDoubled(CALLS);
    }

    @Test
    void oneThatComesAgainWhileTheFirstRunsOrWaitsIsDropped() {
        Counted counted = lookup(Counted.class, served);
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) { // of which four run
            int number = i;
            sent.add(Cleave.async(() -> counted.held(number)));
        }
        for (Pending<Integer> call : sent.subList(10, 20)) {
            assertThat(call.cancel()).isTrue();
        }
        for (int i = 20; i < 120; i++) {
            int number = i;
            sent.add(Cleave.async(() -> counted.quick(number)));
        }

        served.gate.release(20);

        for (int i = 0; i < 120; i++) {
            if (i >= 10 && i < 20) {
                assertThatThrownBy(sent.get(i)::await).isInstanceOf(CallException.class);
            } else {
                assertThat(sent.get(i).await()).as("seed %s", SEED).isEqualTo(3 * i);
            }
        }
        assertThat(served.executed.values()).as("seed %s", SEED).containsOnly(1);
    }

    @Test
    void manyThreadsOnOneConnectionWriteInAnyOrder() throws Exception {
        Counted counted = lookup(Counted.class, served);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int first = t * CALLS;
                tasks.add(() -> {
                    for (int i = first; i < first + CALLS; i++) {
                        assertThat(counted.add(i)).as("seed %s", SEED).isEqualTo(3 * i);
                    }
                    return true;
                });
            }
            for (Future<Boolean> each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }

        assertDoubled(8 * CALLS);
        await().atMost(Duration.ofSeconds(30)).until(() -> client.pendingCalls() == 0);
    }
}
