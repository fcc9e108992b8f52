package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.OverloadException;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.rt.LoopQueue;
import dev.cleave.rt.Rt;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many loops of many threads, as written and as the agent rewrites them, against queues of 1 to 1,000 calls: where the program as
 * written fits, the rewritten one does. {@code -Dcleave.full=true} runs 10,000 loops.
 */
@Tag("one-jdk")
@Timeout(600)
class FullQueueLoopsTest extends NodesUnderTest {

    private static final int WINDOW = 64;
    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int ROUNDS = FULL ? 200 : 6;
    private static final int LOOPS = FULL ? 50 : 16; // of a round, both ways
    private static final int MOST_THREADS = 16;
    private static final int SATURATING = 8; // threads
    private static final int MOST_ROUNDS = 40;
    private static final double MOST_OF_WRITTEN = 1.1;

    @Remote
    interface Counter {

        @Async
        int twice(int value);

        int plain(int value);
    }

    /** Counts what it executes; each takes its time. */
    private static final class Counting implements Counter {

        private final AtomicLong executed = new AtomicLong();
        private volatile int micros;

        @Override
        public int twice(int value) {
            executed.incrementAndGet();
            if (micros > 0) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
            }
            return 2 * value;
        }

        @Override
        public int plain(int value) {
            return twice(value);
        }
    }

    /** What came of the loops of a round. */
    private record Counts(int failed, long nanos) {}

    /** The loops of a program. */
    @FunctionalInterface
    private interface Program {

        int sum(Counter counter, int calls) throws Throwable;
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

    private static int asWritten(Counter counter, int calls) {
        int sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += counter.twice(i);
            if (i % 16 == 15) {
                sum += counter.plain(i) - 2 * i;
            }
        }
        return sum;
    }

    /** The same loop as the agent writes it: sites of its own, as each loop of a program has. */
    private static Program rewritten() {
        MethodHandles.Lookup here = MethodHandles.lookup();
        MethodType type = MethodType.methodType(Object.class, Counter.class, int.class);
        MethodHandle open = Rt.open(here, "open", MethodType.methodType(LoopQueue.class), WINDOW, 1)
                .dynamicInvoker();
        MethodHandle send =
                Rt.send(here, "twice", type, "FullQueueLoopsTest.loop", -1).dynamicInvoker();
        return (counter, calls) -> {
            LoopQueue queue = (LoopQueue) open.invokeExact();
            try {
                int sum = 0;
                int ahead = 0;
                for (int i = 0; i < calls; i++) {
                    while (ahead < calls && Rt.hasRoom(queue)) {
                        Object sent = (Object) send.invokeExact(counter, ahead++);
                        if (!Rt.put(queue, sent, 0)) {
                            break;
                        }
                        Rt.ahead(queue);
                    }
                    Rt.begin(queue);
                    Object call = Rt.take(queue, 0);
                    sum += call == null ? counter.twice(i) : Rt.awaitInt(call);
                    if (i % 16 == 15) {
                        sum += counter.plain(i) - 2 * i;
                    }
                }
                return sum;
            } finally {
                Rt.close(queue);
            }
        };
    }

    /** Runs loops on as many threads as there are; every other thread's loops are as written if that is asked for. */
    private static Counts run(Counter counter, Program program, int threads, int calls, boolean isMixed)
            throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        AtomicLong failed = new AtomicLong();
        long begun = System.nanoTime();
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Program own = isMixed && thread % 2 == 1 ? FullQueueLoopsTest::asWritten : program;
                int loops = LOOPS / threads + (thread < LOOPS % threads ? 1 : 0);
                ends.add(pool.submit(() -> {
                    for (int i = 0; i < loops; i++) {
                        try {
                            assertThat(own.sum(counter, calls)).isEqualTo(calls * (calls - 1));
                        } catch (OverloadException e) {
                            failed.incrementAndGet();
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get(300, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        return new Counts(failed.intValue(), System.nanoTime() - begun);
    }

    @Test
    void loopsThatFitAsWrittenFitAsRewritten() throws Exception {
        long seed = Seed.of(FullQueueLoopsTest.class);
        Random random = new Random(seed);
        long written = 0;
        long rewritten = 0;
        long failures = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int threads = 1 + random.nextInt(MOST_THREADS);
            int queue = Math.max(threads, (int) Math.pow(10, 3 * random.nextDouble())); // fits as written
            int workers = 1 + random.nextInt(4);
            int calls = 1 + random.nextInt(100);
            boolean isMixed = random.nextBoolean();
            served.micros = random.nextBoolean() ? 0 : 50;
            try (Node server = node(NodeOptions.DEFAULT.withName("one-" + round).withCapacity(workers, queue));
                    Node caller = node(NodeOptions.DEFAULT
                            .withName("client-" + round)
                            .withBindings(Bindings.parse("application: test", "cleave.yaml")))) {
                String service = "counter-" + round;
                server.bind(service, served);
                Counter counter = caller.lookup(service, Counter.class);
                String what = "seed " + seed + ", round " + round + ": " + threads + " threads, queue " + queue + ", "
                        + workers + " workers, " + calls + " calls";
                served.executed.set(0);
                Counts plain = run(counter, FullQueueLoopsTest::asWritten, threads, calls, false);
                assertThat(plain.failed()).as(what + ", as written").isZero();
                long executed = served.executed.getAndSet(0);
                Counts ahead = run(counter, rewritten(), threads, calls, isMixed);
                assertThat(ahead.failed()).as(what).isZero();
                assertThat(served.executed).as(what).hasValue(executed);
                failures += ahead.failed();
                written += plain.nanos();
                rewritten += ahead.nanos();
                assertThat(caller.pendingCalls()).as(what).isZero();
            }
        }
        System.out.printf(
                "%d loops each way: %d failed, %.0f ms as written, %.0f ms rewritten%n",
                ROUNDS * LOOPS, failures, written / 1e6, rewritten / 1e6);
    }

    /** The one worker has to do everything, so sending ahead cannot help; refused calls that are sent anew must not hold it up. */
    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    void aSaturatedServerIsNotSlower(int queue) throws Exception {
        served.micros = 1_000;
        int calls = 16;
        try (Node server = node(NodeOptions.DEFAULT.withName("one").withCapacity(1, queue));
                Node caller = node(NodeOptions.DEFAULT
                        .withName("client")
                        .withBindings(Bindings.parse("application: test", "cleave.yaml")))) {
            server.bind("counter", served);
            Counter counter = caller.lookup("counter", Counter.class);
            Program ahead = rewritten();
            long written = Long.MAX_VALUE;
            long rewritten = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS; round++) { // the fastest of each, as the machine may be busy
                written = Math.min(
                        written,
                        run(counter, FullQueueLoopsTest::asWritten, SATURATING, calls, false)
                                .nanos());
                rewritten = Math.min(
                        rewritten, run(counter, ahead, SATURATING, calls, false).nanos());
                if (round > 0 && rewritten <= MOST_OF_WRITTEN * written) {
                    break;
                }
            }
            assertThat((double) rewritten / written)
                    .as("time of %,d calls that saturate one worker, over as written", LOOPS * calls)
                    .isLessThanOrEqualTo(MOST_OF_WRITTEN);
        }
    }
}
