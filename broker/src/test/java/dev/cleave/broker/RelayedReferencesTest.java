package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.ConnectionLostException;
import dev.cleave.NoSuchReferenceException;
import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** References between nodes that know nothing but their broker. */
@Tag("one-jdk")
class RelayedReferencesTest {

    private static final String FILE = "services: {board: {route: relay}, second: {route: relay}}";

    private final List<Node> nodes = new ArrayList<>();
    private Broker broker;
    private Node server;
    private Node client;
    private RealBoard served;
    private Board board;

    /** Is called back. */
    @Remote
    interface Listener {

        int heard(String text);
    }

    /** What the nodes serve. */
    @Remote
    interface Board {

        int call(Listener listener, String text);

        void keep(Listener listener);

        Listener make(int base);

        boolean isMine(Listener listener);

        Ref<double[]> put(double[] values);

        double sum(Ref<double[]> values);

        int through(Board other, Listener listener, String text);

        void keepValues(Ref<double[]> values);

        double sumKept();

        String name(Ref<double[]> values);
    }

    /** Serves it. */
    private static final class RealBoard implements Board {

        private final Node node;
        private volatile Listener kept;
        private volatile Listener made;
        private volatile Ref<double[]> values;

        private RealBoard(Node node) {
            this.node = node;
        }

        @Override
        public int call(Listener listener, String text) {
            return listener.heard(text);
        }

        @Override
        public void keep(Listener listener) {
            kept = listener;
        }

        @Override
        public Listener make(int base) {
            made = text -> base + text.length();
            return made;
        }

        @Override
        public boolean isMine(Listener listener) {
            return listener == made;
        }

        @Override
        public Ref<double[]> put(double[] values) {
            return node.put(values);
        }

        @Override
        public double sum(Ref<double[]> values) {
            return Arrays.stream(values.get()).sum();
        }

        @Override
        public int through(Board other, Listener listener, String text) {
            return other.call(listener, text);
        }

        @Override
        public void keepValues(Ref<double[]> kept) {
            values = kept;
        }

        @Override
        public double sumKept() {
            return sum(values);
        }

        @Override
        public String name(Ref<double[]> of) {
            return node.name() + " " + sum(of);
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(Bindings.parse(FILE, "cleave.yaml")));
        server = node("server");
        client = node("client");
        served = new RealBoard(server);
        server.bind("board", served);
        board = client.lookup("board", Board.class);
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    private Node node(String name) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withCapacity(1, 64)
                .withBindings(Bindings.parse(FILE, "cleave.yaml"))
                .withBroker(broker.endpoint()));
        nodes.add(node);
        return node;
    }

    private static void awaitExported(Node node, int count) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    System.gc();
                    return node.exportedObjects() == count;
                });
    }

    @Test
    void callbacksGoThroughTheBroker() {
        assertThat(board.call(String::length, "four")).isEqualTo(4);
        board.keep(String::length);
        for (int i = 0; i < 100; i++) {
            assertThat(served.kept.heard("x".repeat(i))).isEqualTo(i);
        }
    }

    @Test
    void resultsAreReferencesAndComeHome() {
        Listener made = board.make(100);

        assertThat(made.heard("four")).isEqualTo(104);
        assertThat(board.isMine(made)).isTrue();
        assertThat(board.isMine(String::length)).isFalse();
    }

    @Test
    void valuesStayAndTheirReferencesTravel() {
        Ref<double[]> theirs = board.put(new double[] {1, 2});
        Ref<double[]> mine = client.put(new double[] {3, 4});

        assertThat(theirs.get()).containsExactly(1, 2);
        assertThat(board.sum(theirs)).isEqualTo(3);
        assertThat(board.sum(mine)).isEqualTo(7);
        theirs.free();
        assertThatThrownBy(theirs::get).isInstanceOf(NoSuchReferenceException.class);
    }

    @Test
    void referencesPassedOnGoThroughWhoeverPassedThem() {
        Node node = node("second");
        node.bind("second", new RealBoard(node));
        Board second = client.lookup("second", Board.class);

        assertThat(board.through(second, String::length, "four")).isEqualTo(4);
        assertThat(second.sum(board.put(new double[] {1, 2}))).isEqualTo(3);
    }

    @Test
    void foreignReferencesAreUsedThroughTheBrokerWithoutTheNodeThatPassedThemOn() {
        Node node = node("second");
        RealBoard served2 = new RealBoard(node);
        node.bind("second", served2);
        Node passing = node("passing");
        Board second = passing.lookup("second", Board.class);
        second.keepValues(passing.lookup("board", Board.class).put(new double[] {1, 2}));

        passing.close();

        assertThat(served2.sumKept()).isEqualTo(3);
        served2.values.write(0, new double[] {4});
        assertThat(served2.sumKept()).isEqualTo(6);
        served2.values.free();
        assertThatThrownBy(served2::sumKept).isInstanceOf(NoSuchReferenceException.class);
        awaitExported(server, 0);
    }

    @Test
    void valuesArePutIntoServersBehindTheBrokerAndFreedWithTheSession() {
        Node leaving = node("leaving");
        Board theirs = leaving.lookup("board", Board.class);
        Ref<double[]> values = leaving.create(double[].class, 3, theirs);
        values.write(1, new double[] {2, 3});

        assertThat(theirs.sum(values)).isEqualTo(5);
        assertThat(leaving.put("text", values).get()).isEqualTo("text");
        assertThat(server.exportedObjects()).isEqualTo(2);
        leaving.close();

        awaitExported(server, 0);
    }

    @Test
    void freedReferencesAreReportedAsThemselvesOverTheRelay() {
        Ref<double[]> theirs = board.put(new double[] {1, 2});
        Ref<double[]> mine = client.put(new double[] {3, 4});
        theirs.free();
        mine.free();

        assertThatThrownBy(() -> board.sum(theirs)).isInstanceOf(NoSuchReferenceException.class);
        assertThatThrownBy(() -> board.sum(mine)).isInstanceOf(NoSuchReferenceException.class);
    }

    @Test
    void relayedCallsGoToTheReplicaThatHasTheirReferences() {
        Node other = node("other");
        other.bind("board", new RealBoard(other));
        Ref<double[]> first = near("server");
        Ref<double[]> second = near("other");

        for (int i = 0; i < 5; i++) {
            assertThat(board.name(first)).isEqualTo("server 4.0");
            assertThat(board.name(second)).isEqualTo("other 4.0");
        }
    }

    /** A reference in the replica of a name, among those that the balance policy chooses in turn. */
    private Ref<double[]> near(String name) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> client.put(new double[] {4}, board), made -> made.toString()
                        .contains("of node " + name + " "));
    }

    @Test
    void objectsAreReleasedWhenNobodyHoldsThemAnyMore() {
        board.keep(text -> text.length() + client.pendingCalls());
        assertThat(client.exportedObjects()).isEqualTo(1);

        board.keep(null);

        awaitExported(client, 0);
    }

    @Test
    void objectsAreReleasedWhenTheServerThatHeldThemIsGone() {
        board.keep(text -> text.length() + client.pendingCalls());
        System.gc();
        assertThat(client.exportedObjects()).isEqualTo(1);

        server.close();

        awaitExported(client, 0);
    }

    @Test
    void objectsAreReleasedWhenTheClientThatHeldThemIsGone() {
        Listener made = board.make(1);
        assertThat(made.heard("")).isEqualTo(1);
        served.made = null;
        System.gc();
        assertThat(server.exportedObjects()).isEqualTo(1);

        client.close();

        awaitExported(server, 0);
    }

    @Test
    void callbacksToAClientThatIsGoneFail() {
        board.keep(String::length);
        assertThat(served.kept.heard("four")).isEqualTo(4);

        client.close();

        await().untilAsserted(() -> assertThatThrownBy(() -> served.kept.heard("four"))
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.notExecuted())
                        .isTrue()));
    }
}
