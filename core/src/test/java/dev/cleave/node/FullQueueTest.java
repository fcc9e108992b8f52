package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.rt.LoopQueue;
import dev.cleave.rt.Rt;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers whose queue is shorter than what programs send ahead: these end as they would with one call in flight. */
@Tag("one-jdk")
@Timeout(180)
class FullQueueTest extends NodesUnderTest {

    private static final int WINDOW = 64;
    static final int CALLS = 100;

    @Remote
    interface Counter {

        @Async
        int twice(int value);

        @Pure
        int thrice(int value);

        int plain(int value);

        @Chained
        int chained(int value);
    }

    /** Counts what it executes. */
    static final class Counting implements Counter {

        final AtomicInteger executed = new AtomicInteger();

        private volatile int millis;

        @Override
        public int twice(int value) {
            executed.incrementAndGet();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            return 2 * value;
        }

        @Override
        public int thrice(int value) {
            return 3 * value;
        }

        @Override
        public int plain(int value) {
            return twice(value);
        }

        @Override
        public int chained(int value) {
            return twice(value);
        }
    }

    private final Counting served = new Counting();

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private Counter lookup(int workers, int queue, String file) {
        node(NodeOptions.DEFAULT.withName("one").withCapacity(workers, queue)).bind("counter", served);
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(Bindings.parse(file, "cleave.yaml")));
        return client.lookup("counter", Counter.class);
    }

    private static Handle send(Counter counter, int value) throws ReflectiveOperationException {
        Method send = counter.getClass().getMethod("twice$send", int.class);
        send.setAccessible(true);
        return (Handle) send.invoke(counter, value);
    }

    private static Handle prefetch(Counter counter, int value) throws ReflectiveOperationException {
        Method encode = counter.getClass().getMethod("thrice$encode", int.class);
        encode.setAccessible(true);
        return ((Encoded) encode.invoke(counter, value)).send();
    }

    /** A loop as the agent writes it. */
    static final class Loop {

        private final MethodHandle open;
        private final MethodHandle send;

        Loop() {
            MethodHandles.Lookup here = MethodHandles.lookup();
            MethodType type = MethodType.methodType(Object.class, Counter.class, int.class);
            open = Rt.open(here, "open", MethodType.methodType(LoopQueue.class), WINDOW, 1)
                    .dynamicInvoker();
            send = Rt.send(here, "twice", type, "FullQueueTest.loop", -1).dynamicInvoker();
        }

        int sum(Counter counter) throws Exception {
            try {
                LoopQueue queue = (LoopQueue) open.invokeExact();
                int sum = 0;
                int ahead = 0;
                for (int i = 0; i < CALLS; i++) {
                    while (ahead < CALLS && Rt.hasRoom(queue)) {
                        Object sent = (Object) send.invokeExact(counter, ahead++);
                        assertThat(Rt.put(queue, sent, 0)).isTrue();
                        Rt.ahead(queue);
                    }
                    Rt.begin(queue);
                    Object call = Rt.take(queue, 0);
                    sum += call == null ? counter.twice(i) : Rt.awaitInt(call);
                }
                Rt.close(queue);
                return sum;
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "5, 2", "8, 5"}) // no more callers than workers and places in the queue
    void aCallForWhichAWorkerIsFreeTakesNoPlaceInTheQueue(int threads, int queue) throws Exception {
        Counter counter = lookup(4, queue, "application: test");
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> tasks = Collections.nCopies(threads, () -> {
                int sum = 0;
                for (int i = 0; i < 500; i++) {
                    sum += counter.plain(1);
                }
                return sum;
            });
            for (Future<Integer> sum : pool.invokeAll(tasks, 50, TimeUnit.SECONDS)) {
                assertThat(sum.get()).isEqualTo(1_000);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "1, 8", "1, 20", "2, 1", "4, 3", "4, 8", "4, 20", "8, 7", "8, 20"}) // fits as written
    void loopsThatSendMoreThanAServerTakesEndAsWritten(int threads, int queue) throws Exception {
        Counter counter = lookup(1, queue, "application: test");
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        int loops = 3;
        Loop loop = new Loop();
        try {
            List<Callable<Integer>> tasks = Collections.nCopies(threads * loops, () -> loop.sum(counter));
            for (Future<Integer> sum : pool.invokeAll(tasks, 50, TimeUnit.SECONDS)) {
                assertThat(sum.get()).isEqualTo(CALLS * (CALLS - 1));
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(served.executed).hasValue(threads * loops * CALLS);
    }

    @Test
    void aCallMadeAsWrittenBesideCallsThatFillTheQueueIsNotRefused() throws Throwable {
        Counter counter = lookup(1, 1, "application: test");
        for (int round = 0; round < 50; round++) {
            List<Handle> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sent.add(send(counter, i));
            }
            assertThat(counter.plain(7)).isEqualTo(14);
            for (int i = 0; i < 10; i++) {
                assertThat(sent.get(i).awaitInt()).isEqualTo(2 * i);
            }
        }
    }

    @Test
    void aCallAtItsPlaceTakesTheRoomOfCallsThatOthersSentAhead() throws Throwable {
        Counter counter = lookup(1, 4, "application: test");
        Counter other = node(NodeOptions.DEFAULT.withName("other")).lookup("counter", Counter.class);
        served.millis = 5;
        for (int round = 0; round < 10; round++) {
            List<Handle> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sent.add(send(counter, i));
            }
            assertThat(other.plain(7))
                    .as("of a process that sends nothing ahead")
                    .isEqualTo(14);
            for (int i = 0; i < 10; i++) {
                assertThat(sent.get(i).awaitInt()).isEqualTo(2 * i);
            }
        }
        assertThat(served.executed).hasValue(10 * 11);
    }

    @Test
    void aCallAtItsPlaceTakesTheRoomOfAChainThatOthersSentAhead() throws Throwable {
        Counter counter = lookup(1, 4, "application: test");
        Counter other = node(NodeOptions.DEFAULT.withName("other")).lookup("counter", Counter.class);
        Method send = counter.getClass().getMethod("chained$chain", Chain.class, int.class);
        send.setAccessible(true);
        served.millis = 5;
        for (int round = 0; round < 10; round++) {
            Chain chain = Chain.stopping();
            List<Handle> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sent.add((Handle) send.invoke(counter, chain, i));
            }
            assertThat(other.plain(7))
                    .as("of a process that sends nothing ahead")
                    .isEqualTo(14);
            for (int i = 0; i < 10; i++) {
                Handle call = sent.get(i);
                assertThat(call == null ? counter.chained(i) : call.awaitInt()).isEqualTo(2 * i);
            }
            chain.end();
        }
        assertThat(served.executed).hasValue(10 * 11);
    }

    @Test
    void callsThatWereSentOnAGuessAndRefusedAreMadeAgain() throws Throwable {
        Counter counter = lookup(1, 1, "application: test");
        for (int round = 0; round < 50; round++) {
            List<Handle> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(prefetch(counter, i));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(sent.get(i).awaitInt()).isEqualTo(3 * i);
            }
        }
    }

    @Test
    void aLoopThatIsLeftWithdrawsAllThatItSentBeforeItWaits() throws Throwable {
        Counter counter = lookup(1, 100, "application: test");
        MethodHandles.Lookup here = MethodHandles.lookup();
        LoopQueue queue = (LoopQueue) Rt.open(here, "open", MethodType.methodType(LoopQueue.class), WINDOW, 20)
                .dynamicInvoker()
                .invokeExact();
        MethodType type = MethodType.methodType(Object.class, Counter.class, int.class);
        MethodHandle send =
                Rt.send(here, "twice", type, "FullQueueTest.left", -1).dynamicInvoker();
        served.millis = 20;
        assertThat(Rt.hasRoom(queue)).isTrue();
        for (int i = 0; i < 20; i++) {
            Object sent = (Object) send.invokeExact(counter, i);
            assertThat(Rt.put(queue, sent, 0)).isTrue();
        }
        Rt.ahead(queue);
        Rt.close(queue);

        assertThat(served.executed).hasValueLessThan(10);
    }

    @Test
    void aGroupThatFillsTheQueueEndsAsWritten() throws Throwable {
        Counter counter = lookup(1, 2, "services: {counter: {methods: {twice: {style: async, group: writes}}}}");
        Loop loop = new Loop();
        for (int i = 0; i < 5; i++) {
            assertThat(loop.sum(counter)).isEqualTo(CALLS * (CALLS - 1));
        }
    }
}
