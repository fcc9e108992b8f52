package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Later;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.later.LaterCalls;
import dev.cleave.testing.ChunkGate;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Transport;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds over any transport for arguments that are used while they arrive. */
abstract class LaterContract extends NodesUnderTest {

    private static final int MANY = 500_000; // ints: 2 MB

    private final RealMill served = new RealMill();
    private ChunkGate gate;
    private Node server;
    private Mill mill;

    abstract Transport real();

    @Override
    final Transport transport() {
        gate = new ChunkGate(real());
        return gate;
    }

    @BeforeEach
    void connect() {
        server = node(NodeOptions.DEFAULT.withName("server").withCapacity(1, 64).withArriving(64 << 20));
        server.bind("mill", served);
        mill = client("deadline: 20s");
    }

    private Mill client(String binding) {
        client = node(NodeOptions.DEFAULT
                .withName("client")
                .withBindings(Bindings.parse("services: {mill: {" + binding + "}}", "cleave.yaml")));
        return client.lookup("mill", Mill.class);
    }

    @AfterEach
    void nothingIsUnderWay() {
        gate.open();
        await().atMost(Duration.ofSeconds(60)).until(() -> server.arrivingBytes() == 0 && client.arrivingBytes() == 0);
    }

    private static int[] ones(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private Pending<Long> sum(int[] values) {
        return Cleave.async(() -> mill.sum("sum", Later.Value.of(values)));
    }

    @Test
    void valuesOfEveryKindArriveWholeWhateverTheirSize() {
        long seed = Seed.of(getClass());
        Random random = new Random(seed);
        for (int n : new int[] {0, 10, 4_100, 30_001}) {
            boolean[] booleans = new boolean[n];
            byte[] bytes = new byte[n];
            char[] chars = new char[n];
            short[] shorts = new short[n];
            float[] floats = new float[n];
            random.nextBytes(bytes);
            for (int i = 0; i < n; i++) {
                booleans[i] = random.nextBoolean();
                chars[i] = (char) random.nextInt();
                shorts[i] = (short) random.nextInt();
                floats[i] = random.nextFloat();
            }
            double[][] rows = new double[n / 100][];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = i % 7 == 3
                        ? null
                        : i % 7 == 5 ? rows[i - 1] : random.doubles(i % 11 * 20).toArray();
            }
            int[] ints = random.ints(n).toArray();
            long[] longs = random.longs(n).toArray();
            double[] doubles = random.doubles(n).toArray();
            String text = new String(chars);
            List<Mill.Grain> grains = IntStream.range(0, n / 1000)
                    .mapToObj(i ->
                            new Mill.Grain("g" + i, random.doubles(i * 200L).toArray()))
                    .toList();

            Map<String, Object> all =
                    mill.all("all", booleans, bytes, chars, shorts, ints, longs, floats, doubles, text, rows, grains);

            assertThat(all.get("name")).isEqualTo("all");
            assertThat(all.get("booleans")).as("seed %d", seed).isEqualTo(booleans);
            assertThat(all.get("bytes")).as("seed %d", seed).isEqualTo(bytes);
            assertThat(all.get("chars")).as("seed %d", seed).isEqualTo(chars);
            assertThat(all.get("shorts")).as("seed %d", seed).isEqualTo(shorts);
            assertThat(all.get("ints")).as("seed %d", seed).isEqualTo(ints);
            assertThat(all.get("longs")).as("seed %d", seed).isEqualTo(longs);
            assertThat(all.get("floats")).as("seed %d", seed).isEqualTo(floats);
            assertThat(all.get("doubles")).as("seed %d", seed).isEqualTo(doubles);
            assertThat(all.get("text").equals(text)).as("seed %d", seed).isTrue();
            double[][] came = (double[][]) all.get("rows");
            assertThat(Arrays.deepEquals(came, rows)).as("seed %d", seed).isTrue();
            for (int i = 5; i < rows.length; i += 7) {
                assertThat(came[i]).isSameAs(came[i - 1]);
            }
            List<?> cameGrains = (List<?>) all.get("grains");
            assertThat(cameGrains).hasSameSizeAs(grains);
            for (int i = 0; i < grains.size(); i++) {
                assertThat(((Mill.Grain) cameGrains.get(i)).weights())
                        .as("seed %d", seed)
                        .isEqualTo(grains.get(i).weights());
            }
        }
    }

    @Test
    void aMethodBeginsBeforeItsArgumentIsThereAndItsWorkerServesOthersWhileItWaits() {
        gate.hold(300_000);
        Pending<Long> sum = sum(ones(MANY));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);

        assertThat(mill.small(5)).isEqualTo(5); // the only worker waits
        assertThat(served.ended).hasValue(0);
        assertThat(served.receivedAtBegin.get()).isLessThan(MANY);
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY);
    }

    @Test
    void smallOnesComeWithTheirCall() {
        gate.hold(0);

        assertThat(mill.sum("small", Later.Value.of(ones(1000)))).isEqualTo(1000);
        assertThat(served.receivedAtBegin).hasValue(1000);
    }

    @Test
    void aPlainParameterIsAwaitedBeforeTheMethodBegins() {
        gate.hold(300_000);
        Pending<Long> sum = Cleave.async(() -> mill.plain("p", ones(MANY), new int[][] {ones(9_000), ones(1)}));

        assertThat(mill.small(5)).isEqualTo(5); // it has come behind the request
        assertThat(served.begun).hasValue(0);
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY + 9_001);
    }

    @Test
    void aStreamIsReadAsItComes() {
        byte[] bytes = new byte[1_000_000];
        Arrays.fill(bytes, (byte) 200);
        gate.hold(100_000);
        Pending<Long> sum = Cleave.async(() -> mill.read(new ByteArrayInputStream(bytes)));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        gate.open();

        assertThat(sum.await()).isEqualTo(200_000_000L);
        assertThat(mill.read(new ByteArrayInputStream(new byte[] {1, 2}))).isEqualTo(3);
        assertThat(mill.read(new ByteArrayInputStream(new byte[0]))).isZero();
    }

    @Test
    void whatWasNotWantedIsGivenUpWithTheCall() {
        gate.hold(0);

        assertThat(mill.ignore(Later.Value.of(new byte[3 << 20]))).isEqualTo(7);

        assertThatThrownBy(() -> served.escaped.get().get()).isInstanceOf(CallException.class);
        gate.open();
        assertThat(mill.small(5)).isEqualTo(5);
    }

    @Test
    void theOrderIsThatOfTheSignatureOrOfTheCall() {
        Later.Value<int[]> first = Later.Value.of(ones(100_000));
        Later.Value<int[]> second = Later.Value.of(ones(200_000));

        both(first, second, 1);
        try (LaterCalls order = LaterCalls.choose("2", "1")) {
            assertThat(order).isNotNull();
            both(first, second, 2);
        }

        // The last is told when the method may have returned.
        await().atMost(Duration.ofSeconds(60)).until(() -> served.order.size() == 4);
        assertThat(served.order).isEqualTo(List.of(1, 2, 2, 1));
    }

    /** Both arrive when the method watches them, for the so many-th time. */
    private void both(Later.Value<int[]> first, Later.Value<int[]> second, int time) {
        gate.hold(0);
        Pending<Long> sum = Cleave.async(() -> mill.both(first, second));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == time);
        gate.open();
        assertThat(sum.await()).isEqualTo(300_000);
    }

    @Test
    void anArgumentOfACallThatIsNotWaitedForMayBeChangedAtOnce() {
        int[] values = ones(MANY);
        int[][] rows = {ones(20_000), ones(20_000)};
        gate.hold(0);
        Pending<Long> sum = Cleave.async(() -> mill.plain("p", values, rows));
        Arrays.fill(values, 2);
        Arrays.fill(rows[0], 2);
        rows[1] = null;
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY + 40_000);
    }

    @Test
    void aCallThatIsCancelledFailsTheMethodThatWaits() {
        gate.hold(300_000);
        Pending<Long> sum = sum(ones(MANY));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        sum.cancel();

        assertThatThrownBy(sum::await).isInstanceOf(CallException.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == 1);
        assertThat(served.failure.get()).isInstanceOf(CallException.class).hasMessageContaining("cancelled");
    }

    @Test
    void aDeadlineEndsTheWaitsOfBothSides() {
        Mill hasty = client("deadline: 400ms");
        gate.hold(300_000);
        int[] values = ones(MANY);

        assertThatThrownBy(() -> hasty.sum("late", Later.Value.of(values))).isInstanceOf(DeadlineException.class);

        await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == served.begun.get());
        if (served.begun.get() == 1) {
            assertThat(served.failure.get()).isInstanceOf(CallException.class);
        }
    }

    @Test
    void whereverTheConnectionIsCutBothSidesFailAndNothingIsHalf() {
        int[] values = ones(150_000);
        for (long at = 0; at < 4L * values.length; at += 50_000) {
            RealMill fresh = new RealMill();
            server.rebind("mill", fresh);
            gate.cut(at);

            Throwable thrown = catchThrowable(() -> mill.sum("cut", Later.Value.of(values)));

            assertThat(thrown).as("cut at %d", at).isInstanceOf(ConnectionLostException.class);
            await().atMost(Duration.ofSeconds(60)).until(() -> fresh.ended.get() == fresh.begun.get());
            assertThat(((CallException) thrown).notExecuted() && fresh.begun.get() > 0)
                    .as("cut at %d", at)
                    .isFalse();
            if (fresh.begun.get() == 1) {
                assertThat(fresh.failure.get()).as("cut at %d", at).isInstanceOf(ConnectionLostException.class);
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.arrivingBytes() == 0);
            gate.open();
        }
        assertThat(mill.small(5)).isEqualTo(5);
    }

    @Test
    void theCallerIsGoneWhileAnArgumentArrives() {
        gate.hold(300_000);
        Pending<Long> sum = sum(ones(MANY));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        client.close();

        await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == 1);
        assertThat(served.failure.get()).isInstanceOf(ConnectionLostException.class);
        await().atMost(Duration.ofSeconds(60)).until(sum::isDone);
        assertThat(catchThrowable(sum::await)).isInstanceOf(CallException.class);
    }

    @Test
    void theServerIsGoneWhileAnArgumentArrives() {
        gate.hold(300_000);
        Pending<Long> sum = sum(ones(MANY));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        server.close();

        await().atMost(Duration.ofSeconds(60)).until(sum::isDone);
        assertThat(catchThrowable(sum::await)).isInstanceOf(CallException.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == 1);
    }
}
