package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for large values over any transport: they travel beside their frames. */
abstract class BlocksContract extends NodesUnderTest {

    private final StoredWarehouse served = new StoredWarehouse();
    private Node server;
    private Warehouse warehouse;

    @BeforeEach
    void connect() {
        server = node(NodeOptions.DEFAULT.withName("server").withArriving(64 << 20));
        server.bind("warehouse", served);
        client = node(NodeOptions.DEFAULT
                .withName("client")
                .withArriving(64 << 20)
                .withBindings(Bindings.parse("services: {warehouse: {deadline: 10s}}", "cleave.yaml")));
        warehouse = client.lookup("warehouse", Warehouse.class);
    }

    @AfterEach
    void nothingIsUnderWay() {
        served.goOn.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> server.arrivingBytes() == 0 && client.arrivingBytes() == 0);
    }

    @Test
    void arraysOfEveryKindArriveWhole() {
        long seed = Seed.of(getClass());
        Random random = new Random(seed);
        int n = (300 << 10) + 1;
        boolean[] booleans = new boolean[n];
        byte[] bytes = new byte[n];
        char[] chars = new char[n];
        short[] shorts = new short[n];
        random.nextBytes(bytes);
        for (int i = 0; i < n; i++) {
            booleans[i] = random.nextBoolean();
            chars[i] = (char) random.nextInt();
            shorts[i] = (short) random.nextInt();
        }
        float[] floats = new float[n];
        for (int i = 0; i < n; i++) {
            floats[i] = random.nextFloat();
        }
        String text = new String(chars);
        int[] ints = random.ints(n).toArray();
        long[] longs = random.longs(n).toArray();
        double[] doubles = random.doubles(n).toArray();
        Warehouse.Crate crate = crate(random);

        Map<String, Object> all =
                warehouse.all(booleans, bytes, chars, shorts, text, ints, longs, floats, doubles, crate);

        assertThat(all.get("booleans")).as("seed %d", seed).isEqualTo(booleans);
        assertThat(all.get("bytes")).as("seed %d", seed).isEqualTo(bytes);
        assertThat(all.get("chars")).as("seed %d", seed).isEqualTo(chars);
        assertThat(all.get("shorts")).as("seed %d", seed).isEqualTo(shorts);
        assertThat(all.get("text").equals(text)).as("seed %d", seed).isTrue();
        assertThat(all.get("ints")).as("seed %d", seed).isEqualTo(ints);
        assertThat(all.get("longs")).as("seed %d", seed).isEqualTo(longs);
        assertThat(all.get("floats")).as("seed %d", seed).isEqualTo(floats);
        assertThat(all.get("doubles")).as("seed %d", seed).isEqualTo(doubles);
        assertSame((Warehouse.Crate) all.get("crate"), crate);
    }

    @Test
    void fieldsAndArraysOfArraysArriveWholeAndSharedOnesStayShared() {
        Random random = new Random(7);
        byte[] shared = new byte[100_000];
        random.nextBytes(shared);
        Warehouse.Crate crate = new Warehouse.Crate(
                "shared",
                random.doubles(200_000).toArray(),
                IntStream.range(0, 600)
                        .mapToObj(i -> random.ints(10_000).toArray())
                        .toArray(int[][]::new),
                List.of(shared, shared, new byte[3]));

        Warehouse.Crate came = warehouse.crate(crate);

        assertSame(came, crate);
        assertThat(came.parts().get(0)).isSameAs(came.parts().get(1)).isNotSameAs(shared);
    }

    @Test
    void manySmallPartsOfAnObjectMayBeLargeTogether() {
        List<byte[]> parts = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            byte[] part = new byte[1_000];
            Arrays.fill(part, (byte) i);
            parts.add(part);
        }
        Warehouse.Crate crate = new Warehouse.Crate("many", null, null, parts);

        assertSame(warehouse.crate(crate), crate);
    }

    @Test
    void longStringsArriveWhole() {
        String narrow = "ä".repeat(200_000);
        String wide = "\u20ac".repeat(200_001);

        assertThat(warehouse.text(narrow).equals(narrow)).isTrue();
        assertThat(warehouse.text(wide).equals(wide)).isTrue();
    }

    @Test
    void anArgumentMayBeChangedAsSoonAsTheCallWasSent() {
        byte[] bytes = new byte[5 << 20];
        Arrays.fill(bytes, (byte) 1);

        Pending<Long> sum = Cleave.async(() -> warehouse.sum(bytes));
        Arrays.fill(bytes, (byte) 2);

        assertThat(sum.await()).isEqualTo(5L << 20);
    }

    @Test
    void aResultMayBeChangedAsSoonAsTheMethodHasReturnedAndItsReaderIsSlow() {
        served.goOn.countDown();
        byte[] bytes = new byte[3 << 20];
        Arrays.fill(bytes, (byte) 1);

        byte[] came = Cleave.async(() -> held(bytes)).await();

        assertThat(came).isEqualTo(bytes);
    }

    @Test
    void smallCallsPassLargeOnes() {
        double[] values = new double[4 << 20];
        values[values.length - 1] = 21;
        Pending<double[]> large = Cleave.async(() -> warehouse.doubled(values));
        int made = 0;
        while (!large.isDone() && made < 100_000) {
            assertThat(warehouse.small(made)).isEqualTo(made);
            made++;
        }

        assertThat(large.await()[values.length - 1]).isEqualTo(42);
        assertThat(made).isGreaterThan(1);
    }

    @Test
    void theOrderOfCallsOfAGroupIsThatOfTheProgramWhateverTheirSize() {
        List<dev.cleave.call.Handle> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(send(i, new byte[i % 2 == 0 ? 300_000 : 3]));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(awaitInt(sent.get(i))).isEqualTo(i % 2 == 0 ? 300_000 : 3);
        }

        assertThat(served.log).isEqualTo(IntStream.range(0, 20).boxed().toList());
    }

    @Test
    void aCallIsGivenUpWhileItsResultIsOnItsWay() throws InterruptedException {
        Pending<byte[]> call = Cleave.async(() -> held(new byte[20 << 20]));
        served.begun.await();
        served.goOn.countDown();
        await().pollInterval(Duration.ofMillis(1)).until(() -> client.arrivingBytes() > 0 || call.isDone());

        boolean cancelled = call.cancel();

        Throwable thrown = catchThrowable(call::await);
        if (cancelled) {
            assertThat(thrown).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.maybeExecuted())
                    .isTrue());
        } else {
            assertThat(thrown).isNull();
        }
        assertThat(warehouse.small(5)).isEqualTo(5);
    }

    @Test
    void aCallIsGivenUpWhileItsArgumentIsOnItsWay() {
        Pending<Long> call = Cleave.async(() -> warehouse.sum(new byte[40 << 20]));
        call.cancel();

        assertThatThrownBy(call::await).isInstanceOf(CallException.class);
        assertThat(warehouse.small(5)).isEqualTo(5);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.arrivingBytes() == 0);
    }

    @Test
    void theServerIsGoneWhileAnArgumentIsOnItsWay() {
        Pending<Long> call = Cleave.async(() -> warehouse.sum(new byte[60 << 20]));
        await().pollInterval(Duration.ofMillis(1)).until(() -> server.arrivingBytes() > 0 || call.isDone());
        server.close();

        Throwable thrown = catchThrowable(call::await);
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(CallException.class);
        }
        assertThat(served.executed.get()).isEqualTo(thrown == null ? 1 : served.executed.get());
    }

    @Test
    void theClientIsGoneWhileAnArgumentIsOnItsWay() {
        Pending<Long> call = Cleave.async(() -> warehouse.sum(new byte[60 << 20]));
        await().pollInterval(Duration.ofMillis(1)).until(() -> server.arrivingBytes() > 0 || call.isDone());
        client.close();

        await().atMost(Duration.ofSeconds(60)).until(() -> server.arrivingBytes() == 0);
        catchThrowable(call::await);
    }

    private byte[] held(byte[] bytes) {
        try {
            return warehouse.held(bytes);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private dev.cleave.call.Handle send(int number, byte[] bytes) {
        try {
            var method = Arrays.stream(warehouse.getClass().getMethods())
                    .filter(m -> m.getName().equals("append$send"))
                    .findFirst()
                    .orElseThrow();
            method.setAccessible(true);
            return (dev.cleave.call.Handle) method.invoke(warehouse, number, bytes);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int awaitInt(dev.cleave.call.Handle handle) {
        try {
            return handle.awaitInt();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Warehouse.Crate crate(Random random) {
        return new Warehouse.Crate(
                "crate",
                random.doubles(50_000).toArray(),
                new int[][] {random.ints(30_000).toArray(), {}},
                List.of());
    }

    private static void assertSame(Warehouse.Crate came, Warehouse.Crate sent) {
        assertThat(came.label()).isEqualTo(sent.label());
        assertThat(Arrays.equals(came.values(), sent.values())).isTrue();
        assertThat(Arrays.deepEquals(came.rows(), sent.rows())).isTrue();
        assertThat(Arrays.deepEquals(came.parts().toArray(), sent.parts().toArray()))
                .isTrue();
    }
}
