package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large arguments of many calls: each server gets them until they are noticed, and never gets old ones. */
@Tag("one-jdk")
@Timeout(120)
class RepeatedArgumentsTest extends NodesUnderTest {

    private static final int SIZE = 40_000; // ints; more than a window of credit is not needed here

    private Sums[] sums;

    /** Sums what it is given, and spoils it. */
    @Remote
    @Async
    interface Sums {

        long sum(int[] values, int index);

        double weigh(double[][] left, double[][] right);
    }

    private static final class SpoilingSums implements Sums {

        @Override
        public long sum(int[] values, int index) {
            long sum = Arrays.stream(values).asLongStream().sum() * 10 + index;
            Arrays.fill(values, -1);
            return sum;
        }

        @Override
        public double weigh(double[][] left, double[][] right) {
            double sum = 0;
            for (int i = 0; i < left.length; i++) {
                for (int j = 0; j < left[i].length; j++) {
                    sum += left[i][j] - 2 * right[i][j];
                    left[i][j] = -1;
                    right[i][j] = -1;
                }
            }
            return sum;
        }
    }

    @Override
    Transport transport() {
        NettyOptions usual = NettyOptions.DEFAULT;
        return NettyTransport.create(new NettyOptions(
                usual.poller(),
                usual.threads(),
                usual.connectTimeout(),
                usual.allocator(),
                NettyOptions.SameHostBy.TCP,
                NettyOptions.Checks.ALL)); // as if the nodes were on different hosts
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private void serve(int servers) {
        for (int i = 0; i < servers; i++) {
            node(NodeOptions.DEFAULT.withName("server" + i)).bind("sums" + i, new SpoilingSums());
        }
        client = node(NodeOptions.DEFAULT.withName("client"));
        sums = new Sums[servers];
        Arrays.setAll(sums, i -> client.lookup("sums" + i, Sums.class));
    }

    private static Handle send(Object stub, String name, Object... arguments) {
        Method twin = Arrays.stream(stub.getClass().getMethods())
                .filter(method -> method.getName().equals(name + "$send"))
                .findFirst()
                .orElseThrow();
        twin.setAccessible(true);
        try {
            return (Handle) twin.invoke(stub, arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static int[] numbers(int size) {
        int[] numbers = new int[size];
        Arrays.setAll(numbers, i -> i % 1000);
        return numbers;
    }

    private static long sum(int[] values) {
        return Arrays.stream(values).asLongStream().sum() * 10;
    }

    @Test
    void aLargeArrayGoesToEachServerOnceAfterItWasNoticed() throws Throwable {
        serve(2);
        int[] values = numbers(SIZE);
        long bytes = 4L * SIZE;
        List<Long> spared = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Handle call = send(sums[i / 4], "sum", values, i);
            assertThat(call.awaitLong()).isEqualTo(sum(values) + i);
            spared.add(call.sparedBytes());
        }

        assertThat(spared).containsExactly(0L, 0L, bytes, bytes, 0L, bytes, bytes, bytes);
    }

    @Test
    void manyCallsAtOnceShareIt() throws Throwable {
        serve(1);
        int[] values = numbers(1 << 20);
        assertThat(sums[0].sum(values, 0)).isEqualTo(sum(values));
        assertThat(sums[0].sum(values, 1)).isEqualTo(sum(values) + 1);
        List<Handle> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            calls.add(send(sums[0], "sum", values, i));
        }
        long spared = 0;
        for (int i = 0; i < 12; i++) {
            assertThat(calls.get(i).awaitLong()).isEqualTo(sum(values) + i);
            spared += calls.get(i).sparedBytes();
        }

        assertThat(spared).isEqualTo(12L * 4 << 20);
    }

    @Test
    void whatTheProgramHasChangedIsSentAgain() throws Throwable {
        serve(1);
        int[] values = numbers(SIZE);
        Random random = new Random(Seed.of(RepeatedArgumentsTest.class));
        for (int i = 0; i < 60; i++) {
            if (random.nextBoolean()) {
                values[random.nextInt(SIZE)] = random.nextInt(3);
            }
            Handle call = send(sums[0], "sum", values, i);
            long expected = sum(values) + i;
            if (random.nextBoolean()) {
                values[random.nextInt(SIZE)]++; // the call has its copy
            }
            assertThat(call.awaitLong()).isEqualTo(expected);
        }
    }

    @Test
    void objectsAreSparedTooAndSentWhenTheyHaveChanged() throws Throwable {
        serve(1);
        double[][] left = new double[300][400];
        double[][] right = new double[300][400];
        List<Long> spared = new ArrayList<>();
        for (int change : new int[] {1, 1, 1, 2, 2}) {
            left[7][300] = change;
            right[200][5] = 2 * change;
            Handle call = send(sums[0], "weigh", left, right);
            assertThat(call.awaitDouble()).isEqualTo(change - 4 * change);
            spared.add(call.sparedBytes());
        }

        assertThat(spared).first().isEqualTo(0L);
        assertThat(spared.stream().map(bytes -> bytes > 2 * 8 * 300 * 400))
                .containsExactly(false, false, true, false, true);
    }

    @Test
    void whatChangesEachTimeIsSoonNotCompared() throws Throwable {
        serve(1);
        int[] values = numbers(SIZE);
        for (int i = 0; i < 6; i++) {
            values[SIZE / 3]++; // not where samples are taken
            assertThat(sums[0].sum(values, i)).isEqualTo(sum(values) + i);
        }
        Handle call = send(sums[0], "sum", values, 7);

        assertThat(call.awaitLong()).isEqualTo(sum(values) + 7);
        assertThat(call.sparedBytes()).isZero(); // though it is what the server has
    }

    @Test
    void manyThreadsPassIt() throws Exception {
        serve(1);
        int[] values = numbers(SIZE);
        long expected = sum(values);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            all.add(threads.submit(() -> {
                for (int i = 0; i < 40; i++) {
                    assertThat(sums[0].sum(values, i)).isEqualTo(expected + i);
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
    }

    @Test
    void aCallThatIsGivenUpLeavesNothing() throws Throwable {
        serve(1);
        int[] values = numbers(1 << 20);
        for (int i = 0; i < 6; i++) {
            Handle call = send(sums[0], "sum", values, i);
            if (i % 2 == 0) {
                call.discard();
            } else {
                assertThat(call.awaitLong()).isEqualTo(sum(values) + i);
            }
        }
    }
}
