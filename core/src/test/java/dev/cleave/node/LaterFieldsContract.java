package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Later;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.testing.ChunkGate;
import dev.cleave.transport.Transport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds over any transport for values within objects that are used while they arrive. */
abstract class LaterFieldsContract extends NodesUnderTest {

    private static final int CELLS = 5_000; // ints: 20 kB

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
        client = node(NodeOptions.DEFAULT
                .withName("client")
                .withBindings(Bindings.parse("services: {mill: {deadline: 20s}}", "cleave.yaml")));
        mill = client.lookup("mill", Mill.class);
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

    private static Mill.Sheet sheet(int lines) {
        List<Mill.Line> all = IntStream.range(0, lines)
                .mapToObj(i -> new Mill.Line(Later.Value.of(ones(CELLS))))
                .toList();
        return new Mill.Sheet("sheet", all, Later.Value.of("note"));
    }

    @Test
    void aMethodBeginsWhenTheObjectIsThereAndItsPartsCome() {
        gate.hold(300_000);
        Pending<Long> sum = Cleave.async(() -> mill.sheet(sheet(300), ones(10)));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);

        assertThat(mill.small(5)).isEqualTo(5); // the only worker waits
        assertThat(served.receivedAtBegin.get()).isLessThan(300 * CELLS);
        gate.open();

        assertThat(sum.await()).isEqualTo(300 * CELLS + 14);
    }

    @Test
    void whatIsMarkedOutsideOfTheObjectComesFirst() {
        gate.hold(CELLS * 4);

        Pending<Long> sum = Cleave.async(() -> mill.sheet(sheet(2), ones(CELLS)));

        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        assertThat(served.receivedAtBegin).hasValue(0);
        gate.open();
        assertThat(sum.await()).isEqualTo(3 * CELLS + 4);
    }

    @Test
    void partsOfEverySizeAndNumberArriveAndGoBack() {
        for (int lines : new int[] {0, 1, 200, 2_200}) {
            Mill.Sheet came = mill.same(sheet(lines));

            assertThat(came.lines()).hasSize(lines);
            assertThat(came.note().get()).isEqualTo("note");
            for (Mill.Line line : came.lines()) {
                assertThat(RealPress.sumOf(line.cells())).isEqualTo(CELLS);
            }
        }
        Later.Value<int[]> shared = Later.Value.of(ones(CELLS));
        Mill.Sheet twice = mill.same(
                new Mill.Sheet("x", List.of(new Mill.Line(shared), new Mill.Line(shared)), Later.Value.of(null)));
        assertThat(twice.lines().get(0).cells()).isSameAs(twice.lines().get(1).cells());
        assertThat(twice.note().get()).isNull();
        assertThat(mill.same(new Mill.Sheet("x", List.of(new Mill.Line(null)), null)))
                .isEqualTo(new Mill.Sheet("x", List.of(new Mill.Line(null)), null));
    }

    @Test
    void aResultIsThereWhenItsObjectIsAndItsPartsCome() {
        gate.hold(1_000_000);
        Mill.Sheet came = mill.same(sheet(100));

        assertThat(came.lines()).hasSize(100);
        assertThat(came.lines().get(99).cells().isHere()).isFalse();
        gate.open();

        for (Mill.Line line : came.lines()) {
            assertThat(line.cells().get()).isEqualTo(ones(CELLS));
        }
    }

    @Test
    void futuresAndMarkedResultsHaveTheirPartsToo() throws Exception {
        for (Mill.Sheet came : List.of(
                mill.whole(sheet(20)),
                mill.soon(sheet(20)).get(),
                mill.soonWhole(sheet(20)).get())) {
            for (Mill.Line line : came.lines()) {
                assertThat(line.cells().get()).isEqualTo(ones(CELLS));
            }
        }
    }

    @Test
    void aFutureThatIsCompleteAnswersOnce() throws Exception {
        gate.hold(1_000_000);
        Mill.Sheet came = mill.soon(sheet(100)).get();

        assertThat(mill.small(5))
                .as("whatever was sent after the answer is here")
                .isEqualTo(5);
        gate.open();

        for (Mill.Line line : came.lines()) {
            assertThat(line.cells().get()).isEqualTo(ones(CELLS));
        }
    }

    @Test
    void aMarkedFieldOfAnotherTypeComesWithItsObject() {
        gate.hold(0);
        Mill.Marked marked = new Mill.Marked();
        marked.values = ones(MANY);
        Pending<Long> length = Cleave.async(() -> mill.marked(marked));

        assertThat(mill.small(5)).isEqualTo(5);
        assertThat(served.begun).hasValue(0);
        gate.open();

        assertThat(length.await()).isEqualTo(MANY);
    }

    private static final int MANY = 100_000;

    @Test
    void anObjectWithPartsGoesWhereItsTypeIsNotDeclared() {
        Mill.Sheet came = (Mill.Sheet) mill.any(sheet(3));

        assertThat(came.lines().get(2).cells().get()).isEqualTo(ones(CELLS));
    }

    @Test
    void whereverTheConnectionIsCutNothingIsHalf() {
        for (long at = 0; at < 20L * CELLS * 4; at += 60_000) {
            gate.cut(at);
            int before = served.begun.get();

            assertThatThrownBy(() -> mill.sheet(sheet(20), ones(10)))
                    .as("cut at %d", at)
                    .isInstanceOf(ConnectionLostException.class);

            await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == served.begun.get());
            if (served.begun.get() > before) {
                assertThat(served.failure.get()).as("cut at %d", at).isInstanceOf(ConnectionLostException.class);
            }
            gate.open();
        }
        assertThat(mill.small(5)).isEqualTo(5);
    }

    @Test
    void partsThatNobodyTookDoNotArriveAnyMore() {
        gate.hold(0);
        Pending<Long> sum = Cleave.async(() -> mill.sheet(sheet(20), ones(10)));
        await().atMost(Duration.ofSeconds(60)).until(() -> served.begun.get() == 1);
        sum.cancel();

        await().atMost(Duration.ofSeconds(60)).until(() -> served.ended.get() == 1);
        assertThat(served.failure.get()).isInstanceOf(CallException.class).hasMessageContaining("cancelled");
    }
}
