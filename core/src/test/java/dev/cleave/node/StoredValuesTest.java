package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.NoSuchReferenceException;
import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.config.MemoryBounds;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that are made, read and written in other nodes, and the calls that are given their references. */
@Tag("one-jdk")
class StoredValuesTest {

    private final List<Node> nodes = new ArrayList<>();
    private Transport transport;
    private FakeBroker broker;
    private Node one;
    private Node client;
    private Vectors vectors;

    /** Computes with references. */
    @Remote
    interface Vectors {

        double sum(Ref<double[]> values);

        String sumAndName(Ref<double[]> values);

        String name(Ref<double[]> first, Ref<double[]> second, Ref<double[]> third);

        void scale(Ref<double[]> values, double by);

        Ref<double[]> keep(Ref<double[]> values);

        Ref<String> text(String value);
    }

    /** Names no reference. */
    @Remote
    interface Plain {

        int plus(int a, int b);
    }

    /** Serves both on a node. */
    private static final class Real implements Vectors, Plain {

        private final Node node;
        private volatile Ref<double[]> kept;

        private Real(Node node) {
            this.node = node;
        }

        @Override
        public double sum(Ref<double[]> values) {
            return Arrays.stream(values.get()).sum();
        }

        @Override
        public String sumAndName(Ref<double[]> values) {
            return node.name() + " " + sum(values);
        }

        @Override
        public String name(Ref<double[]> first, Ref<double[]> second, Ref<double[]> third) {
            return node.name();
        }

        @Override
        public void scale(Ref<double[]> values, double by) {
            double[] own = values.get();
            for (int i = 0; i < own.length; i++) {
                own[i] *= by;
            }
        }

        @Override
        public Ref<double[]> keep(Ref<double[]> values) {
            kept = values;
            return values;
        }

        @Override
        public Ref<String> text(String value) {
            return node.put(value);
        }

        @Override
        public int plus(int a, int b) {
            return a + b;
        }
    }

    @BeforeEach
    void connect() {
        transport = LocalTransport.create();
        broker = FakeBroker.start(transport, Endpoint.local("broker"));
        one = node("one");
        one.bind("vectors", Vectors.class, new Real(one));
        one.bind("plain", Plain.class, new Real(one));
        client = node("client");
        vectors = client.lookup("vectors", Vectors.class);
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(String name) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withCapacity(2, 64)
                .withBroker(broker.endpoint())
                .withTransport(transport));
        nodes.add(node);
        return node;
    }

    @Test
    void anArrayIsMadeInTheNodeOfAServiceAndUsedThereByRanges() {
        Ref<double[]> values = client.create(double[].class, 100, vectors);

        values.write(10, new double[] {1, 2, 3});
        vectors.scale(values, 2);

        assertThat(values.length()).isEqualTo(100);
        assertThat(values.read(9, 14)).containsExactly(0, 2, 4, 6, 0);
        assertThat(values.read(100, 100)).isEmpty();
        assertThat(vectors.sum(values)).isEqualTo(12);
        assertThat(one.exportedObjects()).isEqualTo(1);
        assertThat(client.exportedObjects()).isZero();

        values.set(new double[] {5});

        assertThat(values.get()).containsExactly(5);
        values.close();
        assertThat(one.exportedObjects()).isZero();
    }

    /** Each of its values is small; one reference of its own and the service lead to the same node. */
    @Test
    void oneGreedyPeerLeavesRoomToOthers() {
        Vectors ofOther = node("other").lookup("vectors", Vectors.class);
        long room = 1 << 20;
        long others = MemoryBounds.process() - MemoryBounds.PROCESS.used() - room;
        MemoryBounds.UNREAD.add(others);
        List<Ref<byte[]>> taken = new ArrayList<>();
        try {
            taken.add(client.create(byte[].class, 64 << 10, vectors));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            taken.add(client.create(byte[].class, 64 << 10, i % 2 == 0 ? vectors : taken.get(0)));
                        }
                    })
                    .hasMessageContaining("no room for 65552 bytes")
                    .hasMessageContaining("half of what other nodes leave");
            assertThat(taken).hasSize(7); // less than half of the room

            Ref<byte[]> of = nodes.get(2).create(byte[].class, 200 << 10, ofOther);
            assertThat(of.length()).isEqualTo(200 << 10);

            taken.remove(0).free();
            taken.add(client.put(new byte[16 << 10], taken.get(0)));
        } finally {
            MemoryBounds.UNREAD.add(-others);
        }
    }

    @Test
    void largeRangesTravelAsWell() {
        int size = 100_000;
        double[] all = DoubleStream.iterate(0, x -> x + 1).limit(size).toArray();
        Ref<double[]> values = client.create(double[].class, size, vectors);

        values.write(0, all);

        assertThat(values.read(1, size)).containsExactly(Arrays.copyOfRange(all, 1, size));
        assertThat(client.put(all, vectors).get()).containsExactly(all);
    }

    @Test
    void valuesAreMadeNearOtherReferencesAndObjects() {
        Ref<double[]> here = client.create(double[].class, 3);
        Ref<double[]> there = client.create(double[].class, 3, vectors);

        Ref<int[]> besideHere = client.create(int[].class, 4, here);
        Ref<int[]> besideThere = client.create(int[].class, 5, there);
        Ref<String> text = client.put("text", vectors.text("other"));

        assertThat(here.toString()).isEqualTo("Ref of a value here");
        assertThat(besideHere.toString()).isEqualTo("Ref of a value here");
        assertThat(besideThere.toString()).contains("of node one");
        assertThat(besideThere.length()).isEqualTo(5);
        assertThat(text.get()).isEqualTo("text");
        here.write(1, new double[] {7});
        assertThat(here.get()).containsExactly(0, 7, 0);
    }

    @Test
    void mistakesAreNamed() {
        Ref<double[]> values = client.create(double[].class, 3, vectors);
        Plain plain = client.lookup("plain", Plain.class);

        assertThatThrownBy(() -> client.create(String.class, 3))
                .hasMessage("type: java.lang.String (expected: an array of primitives)");
        assertThatThrownBy(() -> client.create(String[].class, 3, vectors))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("type: [Ljava.lang.String; (expected: an array of primitives)");
        assertThatThrownBy(() -> client.create(int[].class, -1, vectors)).hasMessage("size: -1 (expected: 0 or more)");
        assertThatThrownBy(() -> client.create(int[].class, 1, "x"))
                .hasMessage(
                        "near: java.lang.String (expected: a Ref, a stub, or an object that this node has exported)");
        assertThatThrownBy(() -> client.create(int[].class, 1, plain))
                .hasMessageContaining(
                        "Plain names no Ref (expected: an interface with a Ref as a parameter or result)");
        assertThatThrownBy(() -> values.read(1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> values.write(2, new double[2])).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> values.set(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Ref.set: null (expected: double[], as the value that it replaces)");
        assertThatThrownBy(() -> vectors.text("x").length())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Ref.length: the value is java.lang.String (expected: an array)");
        assertThat(values.get()).containsExactly(0, 0, 0);
    }

    @Test
    void aReferenceThatHasBeenFreedIsReportedAsItselfWhereverItIsUsed() {
        Ref<double[]> values = client.create(double[].class, 3, vectors);
        Ref<double[]> mine = client.create(double[].class, 3);
        values.free();
        mine.free();
        values.free();

        assertThatThrownBy(values::get).isInstanceOf(NoSuchReferenceException.class);
        assertThatThrownBy(mine::length).isInstanceOf(NoSuchReferenceException.class);
        for (Ref<double[]> freed : List.of(values, mine)) {
            assertThatThrownBy(() -> vectors.sum(freed)).isInstanceOfSatisfying(NoSuchReferenceException.class, e -> {
                assertThat(e.notExecuted()).isFalse();
                assertThat(e.maybeExecuted()).isFalse();
            });
        }
    }

    @Test
    void callsGoToTheReplicaThatHasTheirReferences() {
        Node two = node("two");
        two.bind("vectors", Vectors.class, new Real(two));
        Ref<double[]> first = near("one");
        Ref<double[]> second = near("two");

        for (int i = 0; i < 5; i++) {
            assertThat(vectors.sumAndName(first)).isEqualTo("one 4.0");
            assertThat(vectors.sumAndName(second)).isEqualTo("two 4.0");
            assertThat(vectors.name(first, second, second)).isEqualTo("two");
            assertThat(vectors.name(first, second, first)).isEqualTo("one");
        }
        two.drain();
        assertThat(vectors.name(second, second, second)).isEqualTo("one");
    }

    /** A reference in the replica of a name, among those that the balance policy chooses in turn. */
    private Ref<double[]> near(String name) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> client.put(new double[] {4}, vectors), made -> made.toString()
                        .contains("of node " + name + " "));
    }

    @Test
    void nothingIsLeftWhereAClientHasPutValuesWhenItsSessionEnds() {
        Node leaving = node("leaving");
        Vectors theirs = leaving.lookup("vectors", Vectors.class);
        for (int i = 0; i < 20; i++) {
            assertThat(theirs.sum(leaving.create(double[].class, 10, theirs))).isZero();
        }
        assertThat(one.exportedObjects()).isEqualTo(20);

        leaving.close();

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    System.gc(); // those that were arguments of a method there belong to its node as well
                    return one.exportedObjects() == 0;
                });
    }

    @Test
    void whatTheServerKeepsOutlivesTheSessionOfItsMaker() {
        Real keeper = new Real(one);
        one.bind("keeper", Vectors.class, keeper);
        Node leaving = node("leaving");
        Vectors theirs = leaving.lookup("keeper", Vectors.class);
        Ref<double[]> kept = theirs.keep(leaving.create(double[].class, 2, theirs));
        kept.write(0, new double[] {3, 4});

        leaving.close();
        System.gc();

        assertThat(keeper.kept.get()).containsExactly(3, 4);
    }
}
