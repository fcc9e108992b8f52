package dev.cleave.jexl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Priority;
import dev.cleave.Remote;
import dev.cleave.Serial;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order in which a server runs the calls that wait. */
@Tag("one-jdk")
@Timeout(120)
class PriorityTest {

    /** Compares. */
    @Remote
    public interface Compare {

        /** Longest first. */
        @Priority("sequence.length()")
        int score(String sequence, List<Integer> weights);

        /** As it comes. */
        int block();

        /** As it comes, unless a file says otherwise. */
        int weigh(int grams);
    }

    /** Says that what was sent before has arrived. */
    @Remote
    public interface Marker {

        /** Does nothing. */
        void here();
    }

    /** Notes the order in which it is called. */
    static class NotingCompare implements Compare {

        final List<String> served = new CopyOnWriteArrayList<>();
        final Semaphore gate = new Semaphore(0);

        @Override
        public int score(String sequence, List<Integer> weights) {
            served.add(sequence);
            return weights.size();
        }

        @Override
        public int weigh(int grams) {
            served.add(String.valueOf(grams));
            return grams;
        }

        @Override
        public int block() {
            gate.acquireUninterruptibly();
            return 0;
        }
    }

    @Serial
    static final class SerialCompare extends NotingCompare {}

    private static final String FILE = """
            services:
              compare: {workers: 1, queue: 100 %s}
              marker: {workers: 1}
            """;

    private final NettyTransport transport = NettyTransport.create();
    private final FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    private final NotingCompare compare = new NotingCompare();
    private Node client;
    private final List<Node> nodes = new ArrayList<>();

    @BeforeEach
    void connect() {
        client = node("client", "");
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        transport.close();
    }

    private Node node(String name, String more) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withTransport(transport)
                .withBindings(Bindings.parse(FILE.formatted(more), "cleave.yaml")));
        nodes.add(node);
        return node;
    }

    /** A call that has the one worker. */
    private Pending<Integer> blocked(Compare stub) {
        Pending<Integer> blocked = Cleave.async(stub::block);
        client.lookup("marker", Marker.class).here();
        await().until(compare.gate::hasQueuedThreads);
        return blocked;
    }

    private List<String> servedOf(List<String> sequences) {
        Compare stub = client.lookup("compare", Compare.class);
        List<Pending<Integer>> pending = new ArrayList<>();
        pending.add(blocked(stub));
        for (String sequence : sequences) {
            pending.add(Cleave.async(() -> stub.score(sequence, List.of(1, 2))));
        }
        client.lookup("marker", Marker.class).here();
        compare.gate.release();
        // not by waiting for one of them, which would then overtake
        await().until(() -> compare.served.size() == sequences.size());
        assertThat(pending.stream().skip(1).map(Pending::await)).containsOnly(2);
        return compare.served;
    }

    @EffectOf("services.workers")
    @Test
    void theGreatestValueGoesFirst() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});

        assertThat(servedOf(List.of("a", "ccc", "bb", "c", "dddd"))).containsExactly("dddd", "ccc", "bb", "a", "c");
    }

    @Test
    void callsThatWaitAtTheirCallerLeaveItByPriority() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});
        client = node("line", ", balance: demand(1)");

        assertThat(servedOf(List.of("a", "ccc", "bb", "c", "dddd"))).containsExactly("dddd", "ccc", "bb", "a", "c");
    }

    @Test
    void theNumberOfTheCallerHoldsWhereTheServerHasNoExpression() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});
        client = node("other", ", methods: {weigh: {priority: grams}}");
        Compare stub = client.lookup("compare", Compare.class);
        Pending<Integer> blocked = blocked(stub);
        List<Pending<Integer>> pending = new ArrayList<>();
        for (int grams : new int[] {2, 3, 1}) {
            pending.add(Cleave.async(() -> stub.weigh(grams)));
        }
        client.lookup("marker", Marker.class).here();
        compare.gate.release();
        await().until(() -> compare.served.size() == 3);

        assertThat(compare.served).containsExactly("3", "2", "1");
        assertThat(pending.stream().map(Pending::await)).containsExactly(2, 3, 1);
        assertThat(blocked.await()).isZero();
    }

    @EffectOf("services.priority")
    @Test
    void theFileGoesBeforeTheAnnotation() {
        Node server = node("server", ", methods: {score: {priority: -sequence.length()}}");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});

        assertThat(servedOf(List.of("ccc", "a", "bb"))).containsExactly("a", "bb", "ccc");
    }

    @Test
    void theFileCanSayThatThereIsNone() {
        Node server = node("server", ", priority: none");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});

        assertThat(servedOf(List.of("ccc", "a", "bb"))).containsExactly("ccc", "a", "bb");
    }

    @Test
    void aMistakeIsToldWhenTheServiceIsBound() {
        Node server = node("server", ", methods: {score: {priority: sequence.size()}}");

        assertThatThrownBy(() -> server.bind("compare", compare))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Compare.score: priority \"sequence.size()\": parameter 1 (sequence): "
                        + "String has no method size (expected: one of its public methods)");
    }

    @Test
    void serialObjectsHaveNone() {
        Node server = node("server", "");

        assertThatThrownBy(() -> server.bind("compare", new SerialCompare()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Compare.score: priority \"sequence.length()\"")
                .hasMessageContaining("which is @Serial");
    }

    @Test
    void argumentsThatCannotBeReadOrRatedAreTheCallsOwnBusiness() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});
        Compare stub = client.lookup("compare", Compare.class);

        assertThat(stub.score(null, List.of(1))).as("no length: priority 0").isEqualTo(1);
        assertThatThrownBy(() -> stub.score("a", null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void cancelledCallsLeaveTheQueue() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});
        Compare stub = client.lookup("compare", Compare.class);
        Pending<Integer> blocked = blocked(stub);
        Pending<Integer> first = Cleave.async(() -> stub.score("aa", List.of()));
        Pending<Integer> second = Cleave.async(() -> stub.score("b", List.of()));

        first.cancel();
        client.lookup("marker", Marker.class).here();
        compare.gate.release();

        assertThat(second.await()).isZero();
        assertThat(compare.served).containsExactly("b");
        assertThat(blocked.await()).isZero();
    }

    @EffectOf("services.queue")
    @Test
    void whatFindsTheQueueFullIsRefusedUnexecuted() {
        Node server = node("server", "");
        server.bind("compare", compare);
        server.bind("marker", (Marker) () -> {});
        Compare stub = client.lookup("compare", Compare.class);
        Pending<Integer> blocked = blocked(stub);
        List<Pending<Integer>> pending = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            pending.add(Cleave.async(() -> stub.score("a", List.of())));
        }

        assertThatThrownBy(() -> pending.get(100).await())
                .isInstanceOf(dev.cleave.OverloadException.class)
                .satisfies(e -> assertThat(((CallException) e).notExecuted()).isTrue())
                .hasMessageContaining("the queue of the server is full (100 calls)");
        compare.gate.release();
        assertThat(pending.subList(0, 100).stream().map(Pending::await)).containsOnly(0);
        assertThat(blocked.await()).isZero();
    }
}
