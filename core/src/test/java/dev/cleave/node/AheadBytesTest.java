package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.rt.LoopQueue;
import dev.cleave.rt.Rt;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops whose large arguments and results do not fit their nodes all at once: they end as written, within their room. */
@Tag("one-jdk")
@Timeout(120)
class AheadBytesTest extends NodesUnderTest {

    private static final int WINDOW = 64;
    private static final int CALLS = 60;
    private static final int LARGE = 512 << 10;

    @Remote
    interface Store {

        @Async
        byte[] get(int length);

        @Async
        int put(byte[] value);
    }

    /** Counts what it executes. */
    static final class Counting implements Store {

        final AtomicInteger executed = new AtomicInteger();

        @Override
        public byte[] get(int length) {
            executed.incrementAndGet();
            return new byte[length];
        }

        @Override
        public int put(byte[] value) {
            executed.incrementAndGet();
            return value.length;
        }
    }

    /** A loop as the agent writes it. */
    static final class Loop {

        private final MethodHandle open;
        private final MethodHandle send;
        private final AtomicInteger mostAhead = new AtomicInteger();

        Loop(String method, Class<?> parameter) {
            MethodHandles.Lookup here = MethodHandles.lookup();
            MethodType type = MethodType.methodType(Object.class, Store.class, parameter);
            open = Rt.open(here, "open", MethodType.methodType(LoopQueue.class), WINDOW, 1)
                    .dynamicInvoker();
            send = Rt.send(here, method, type, "AheadBytesTest." + method, -1).dynamicInvoker();
        }

        /** The lengths of all results. */
        long gets(Store store, int calls, IntUnaryOperator length) throws Throwable {
            LoopQueue queue = (LoopQueue) open.invokeExact();
            try {
                long sum = 0;
                int ahead = 0;
                boolean sends = true;
                for (int i = 0; i < calls; i++) {
                    while (sends && ahead < calls && Rt.hasRoom(queue)) {
                        sends = Rt.put(queue, (Object) send.invokeExact(store, length.applyAsInt(ahead++)), 0);
                        Rt.ahead(queue);
                    }
                    mostAhead.accumulateAndGet(ahead - i, Math::max);
                    Rt.begin(queue);
                    Object call = Rt.take(queue, 0);
                    sum += call == null ? store.get(length.applyAsInt(i)).length : ((byte[]) Rt.await(call)).length;
                }
                return sum;
            } finally {
                Rt.close(queue);
            }
        }

        /** The lengths of all arguments, as the service has got them. */
        long puts(Store store, int calls, IntUnaryOperator length) throws Throwable {
            LoopQueue queue = (LoopQueue) open.invokeExact();
            try {
                long sum = 0;
                int ahead = 0;
                boolean sends = true;
                for (int i = 0; i < calls; i++) {
                    while (sends && ahead < calls && Rt.hasRoom(queue)) {
                        sends = Rt.put(
                                queue, (Object) send.invokeExact(store, new byte[length.applyAsInt(ahead++)]), 0);
                        Rt.ahead(queue);
                    }
                    mostAhead.accumulateAndGet(ahead - i, Math::max);
                    Rt.begin(queue);
                    Object call = Rt.take(queue, 0);
                    sum += call == null ? store.put(new byte[length.applyAsInt(i)]) : Rt.awaitInt(call);
                }
                return sum;
            } finally {
                Rt.close(queue);
            }
        }
    }

    private final Counting served = new Counting();
    private NodeOptions server;
    private NodeOptions caller;

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private Store lookup(int serverBytes, int callerBytes) {
        server = NodeOptions.DEFAULT.withName("one").withArriving(serverBytes);
        caller = NodeOptions.DEFAULT
                .withName("client")
                .withArriving(callerBytes)
                .withBindings(Bindings.parse("application: test", "cleave.yaml"));
        node(server).bind("store", served);
        client = node(caller);
        return client.lookup("store", Store.class);
    }

    @AfterEach
    void allRoomIsGivenBack() throws InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (isTaken(caller) || isTaken(server)) { // the thread that has ended a call goes on a little
            assertThat(System.nanoTime() - patience)
                    .as("bytes left at the caller %s, at the server %s", left(caller), left(server))
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    private static String left(NodeOptions of) {
        return of.budget().ahead().taken() + " ahead and " + of.budget().reserved();
    }

    private static boolean isTaken(NodeOptions of) {
        return of.budget().ahead().taken() != 0 || of.budget().reserved() != 0;
    }

    private static IntUnaryOperator seen(AtomicLong most, NodeOptions of, int length) {
        return i -> {
            most.accumulateAndGet(of.budget().ahead().taken(), Math::max);
            return length;
        };
    }

    @Test
    void aLoopOverLargeResultsSendsAsManyAsHaveRoom() throws Throwable {
        Store store = lookup(64 << 20, 16 * LARGE);
        Loop loop = new Loop("get", int.class);
        AtomicLong most = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            assertThat(loop.gets(store, CALLS, seen(most, caller, LARGE))).isEqualTo((long) CALLS * LARGE);
        }
        assertThat(served.executed).hasValue(3 * CALLS);
        assertThat(most.get()).isBetween(2L * LARGE, 4L * LARGE);
        assertThat(loop.mostAhead).satisfies(ahead -> assertThat(ahead.get()).isBetween(3, 5));
    }

    @Test
    void aLoopOverResultsThatBecomeLargeTakesThemOneByOneWhereTheyHaveNoRoom() throws Throwable {
        Store store = lookup(256 << 20, 16 * LARGE);
        Loop loop = new Loop("get", int.class);
        assertThat(loop.gets(store, 1000, i -> 10)).isEqualTo(10_000);
        served.executed.set(0);
        AtomicLong most = new AtomicLong();
        IntUnaryOperator length = i -> {
            most.accumulateAndGet(caller.budget().ahead().taken(), Math::max);
            return i < 500 ? 10 : LARGE;
        };
        assertThat(loop.gets(store, 500 + CALLS, length)).isEqualTo(5000 + (long) CALLS * LARGE);
        assertThat(served.executed).hasValue(500 + CALLS);
        assertThat(most.get()).isLessThanOrEqualTo(4L * LARGE);
    }

    @Test
    void aLoopOverResultsLargerThanAllRoomEndsAsWritten() throws Throwable {
        Store store = lookup(64 << 20, 3 * LARGE);
        assertThat(new Loop("get", int.class).gets(store, CALLS, i -> 2 * LARGE))
                .isEqualTo(2L * CALLS * LARGE);
        assertThat(served.executed).hasValue(CALLS);
    }

    @Test
    void aLoopOverLargeArgumentsSendsAsManyAsHaveRoom() throws Throwable {
        Store store = lookup(16 * LARGE, 16 * LARGE);
        Loop loop = new Loop("put", byte[].class);
        AtomicLong most = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            assertThat(loop.puts(store, CALLS, seen(most, caller, LARGE))).isEqualTo((long) CALLS * LARGE);
        }
        assertThat(served.executed).hasValue(3 * CALLS);
        assertThat(most.get()).isBetween(2L * LARGE, 4L * LARGE);
    }

    @Test
    void aLoopOverArgumentsForWhichTheServerHasNoRoomEndsAsWritten() throws Throwable {
        Store store = lookup(3 * LARGE, 64 * LARGE);
        assertThat(new Loop("put", byte[].class).puts(store, CALLS, i -> 2 * LARGE))
                .isEqualTo(2L * CALLS * LARGE);
        assertThat(served.executed).hasValue(CALLS);
    }

    @Test
    void aLoopThatIsLeftGivesItsRoomBack() throws Throwable {
        Store store = lookup(64 << 20, 16 * LARGE);
        Loop loop = new Loop("get", int.class);
        assertThat(loop.gets(store, CALLS, i -> LARGE)).isPositive();
        for (int round = 0; round < 10; round++) {
            int last = round;
            AtomicInteger calls = new AtomicInteger();
            Throwable thrown = null;
            try {
                loop.gets(store, CALLS, i -> {
                    if (calls.incrementAndGet() > last + 3) {
                        throw new IllegalStateException("left");
                    }
                    return LARGE;
                });
            } catch (IllegalStateException e) {
                thrown = e;
            }
            assertThat(thrown).hasMessage("left");
        }
    }

    @Test
    void manyThreadsWithLargeArgumentsAndResultsEndAsWritten() throws Exception {
        Store store = lookup(16 * LARGE, 16 * LARGE);
        int threads = 4; // each has one call at a time as written, which fit
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Loop gets = new Loop("get", int.class);
        Loop puts = new Loop("put", byte[].class);
        IntUnaryOperator length = i -> i % 3 == 0 ? LARGE : 100;
        long expected = CALLS / 3 * (LARGE + 200L);
        try {
            List<Callable<Long>> tasks = Collections.nCopies(2 * threads, () -> {
                try {
                    return gets.gets(store, CALLS, length) + puts.puts(store, CALLS, length);
                } catch (Exception | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new AssertionError(e);
                }
            });
            for (Future<Long> sum : pool.invokeAll(tasks, 100, TimeUnit.SECONDS)) {
                assertThat(sum.get()).isEqualTo(2 * expected);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(served.executed).hasValue(2 * threads * 2 * CALLS);
    }
}
