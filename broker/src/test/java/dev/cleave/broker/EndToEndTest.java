package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Idempotent;
import dev.cleave.NoReplicaException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Serial;
import dev.cleave.WaitCycleException;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.LogLines;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Services;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker and nodes, over TCP. */
@Tag("one-jdk")
class EndToEndTest {

    private final List<Node> nodes = new ArrayList<>();
    private Broker broker;

    /** What the nodes serve. */
    @Remote
    interface Desk {

        @Idempotent
        String who(List<String> names);

        int count(int[] numbers);
    }

    /** Serves it, and can be made to wait. */
    private static final class NamedDesk implements Desk {

        private final String name;
        private final AtomicInteger executed = new AtomicInteger();
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);

        private NamedDesk(String name) {
            this.name = name;
        }

        @Override
        public String who(List<String> names) {
            return name + names;
        }

        @Override
        public int count(int[] numbers) {
            executed.incrementAndGet();
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return numbers.length;
        }
    }

    @BeforeEach
    void start() {
        startBroker("");
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    /** The registry takes 10,000 watches of a connection: a lookup that finds nothing leaves none behind. */
    @Test
    @Tag("full")
    void moreLookupsThatFindNothingThanWatchesAllowedUseNothingUp() {
        Node caller = client();
        for (int i = 0; i <= 10_000; i++) {
            String name = "none-" + i;
            assertThatThrownBy(() -> caller.lookup(name, Desk.class)).isInstanceOf(NoReplicaException.class);
        }
        serve("harvey");

        assertThat(caller.lookup("desk", Desk.class).who(List.of("x"))).isEqualTo("harvey[x]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void callsOfAnExpectedServiceWaitUntilItIsBound(String route) throws Exception {
        route(route);
        Node caller = client();
        Desk desk = caller.expect("desk", Desk.class);
        Pending<String> early = Cleave.async(() -> desk.who(List.of("sent ahead"))); // no one waits for it
        FutureTask<String> first = new FutureTask<>(() -> desk.who(List.of("x")));
        Thread waiting = new Thread(first, "waits for the service");
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        serve("harvey");

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("harvey[x]");
        assertThat(desk.who(List.of("y"))).isEqualTo("harvey[y]");
        CompletableFuture<String> sent = early.toCompletableFuture();
        await().until(sent::isDone);
        if (sent.isCompletedExceptionally()) {
            assertThatThrownBy(sent::join).hasCauseInstanceOf(NoReplicaException.class);
        } else { // it was tried again when the service was bound
            assertThat(sent).isCompletedWithValue("harvey[sent ahead]");
        }
    }

    @Test
    void aServiceThatIsExpectedInVainEndsTheCallAtItsDeadline() {
        Node caller = node(NodeOptions.DEFAULT
                .withName("client")
                .withBindings(Bindings.parse("services: {desk: {methods: {who: {deadline: 200ms}}}}", "test.yaml")));
        Desk desk = caller.expect("desk", Desk.class);

        assertThatThrownBy(() -> desk.who(List.of("x")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue())
                .hasMessageContaining("desk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void callsReachAllReplicasInTurn(String route) {
        route(route);
        serve("harvey");
        serve("bugs");
        Desk desk = client().lookup("desk", Desk.class);
        awaitUp(2);

        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            counts.merge(desk.who(List.of("x")), 1, Integer::sum);
        }

        assertThat(counts).containsOnly(Map.entry("harvey[x]", 10), Map.entry("bugs[x]", 10));
        assertThat(desk.count(new int[1_000_000])).isEqualTo(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void idempotentCallsOutliveAServer(String route) {
        route(route);
        serve("harvey");
        serve("bugs");
        Desk desk = client().lookup("desk", Desk.class);
        awaitUp(2);

        Set<String> before = new HashSet<>();
        List<String> after = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                nodes.get(0).close();
            }
            (i < 100 ? before : after).add(desk.who(List.of()));
        }

        assertThat(before).containsExactlyInAnyOrder("harvey[]", "bugs[]");
        assertThat(after).hasSize(100).containsOnly("bugs[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void aCallThatMayHaveRunIsInDoubt(String route) throws Exception {
        route(route);
        NamedDesk harvey = serve("harvey");
        harvey.gate = new CountDownLatch(1);
        Desk desk = client().lookup("desk", Desk.class);
        Pending<Integer> pending = Cleave.async(() -> desk.count(new int[3]));
        harvey.entered.await();

        nodes.get(0).close();

        assertThatThrownBy(pending::await).isInstanceOfSatisfying(ConnectionLostException.class, e -> {
            assertThat(e.maybeExecuted()).isTrue();
            assertThat(e.retrySafe()).isFalse();
        });
        harvey.gate.countDown();
        assertThat(harvey.executed).hasValue(1);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThatThrownBy(() -> desk.count(new int[3]))
                .isInstanceOfSatisfying(NoReplicaException.class, e -> assertThat(e.notExecuted())
                        .isTrue()));
    }

    /** Calls the next desk, as often as it is told. */
    @Remote
    interface Circle {

        int round(int left);
    }

    @Serial
    private static final class CircleDesk implements Circle {

        private final Node node;
        private final String next;
        private volatile WaitCycleException seen;

        private CircleDesk(Node node, String next) {
            this.node = node;
            this.next = next;
        }

        @Override
        public int round(int left) {
            try {
                return left == 0 ? 0 : 1 + node.lookup(next, Circle.class).round(left - 1);
            } catch (WaitCycleException e) {
                seen = e;
                throw e;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void aWaitCycleKeepsItsTypeOverTwoNodes(String route) {
        broker.close();
        startBroker("services: {one: {route: " + route + "}, two: {route: " + route + "}}");
        Node first = node(NodeOptions.DEFAULT.withName("first"));
        Node second = node(NodeOptions.DEFAULT.withName("second"));
        first.bind("one", new CircleDesk(first, "two"));
        CircleDesk behind = new CircleDesk(second, "one");
        second.bind("two", behind);
        Circle circle = client().lookup("one", Circle.class);
        assertThat(circle.round(1)).isEqualTo(1);

        assertThatThrownBy(() -> circle.round(2))
                .isInstanceOfSatisfying(WaitCycleException.class, e -> {
                    assertThat(e.executed()).as("the call of the client").isTrue();
                    assertThat(e.service()).isEqualTo("one");
                    assertThat(e).hasMessage(behind.seen.getMessage());
                })
                .hasMessageContaining("it would wait for itself");
        assertThat(behind.seen.notExecuted()).as("the call that came back").isTrue();
    }

    @Test
    void aReplicaWhoseNameAnotherHadTakenComesBackWhenItIsFree() {
        NodeOptions named = NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName("same");
        Node first = Node.connect(named);
        nodes.add(first);
        first.bind("named", new NamedDesk("first"));
        Node second = Node.connect(named);
        nodes.add(second);
        try (LogLines log = LogLines.of("dev.cleave.client.BrokerSession")) {
            second.bind("named", new NamedDesk("second"));

            await().atMost(Duration.ofSeconds(60)).until(() -> !log.lines().isEmpty());
            assertThat(log.lines())
                    .singleElement(STRING)
                    .startsWith("WARNING")
                    .contains(
                            "replica same of service named was registered by another process",
                            "it is registered again here when the name is free");
        }
        Node caller = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        nodes.add(caller);
        Desk desk = caller.lookup("named", Desk.class);
        assertThat(desk.who(List.of())).isEqualTo("second[]");

        second.close();

        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> assertThat(desk.who(List.of()))
                .isEqualTo("first[]"));
    }

    @Test
    void anUnknownServiceFailsFast() {
        Node client = client();

        assertThatThrownBy(() -> client.lookup("nothing", Desk.class)).isInstanceOf(NoReplicaException.class);
    }

    @Test
    void aReplicaOfTheSameNameAndALaterLifeTakesOver() {
        serve("harvey");
        NamedDesk second = serve("harvey");
        Desk desk = client().lookup("desk", Desk.class);

        desk.count(new int[0]);

        assertThat(second.executed).hasValue(1);
    }

    @Test
    void anotherInterfaceOfTheSameServiceIsRefused() {
        serve("harvey");
        Node other = node(NodeOptions.DEFAULT.withName("other"));

        assertThatThrownBy(() -> other.bind("desk", (Runnables) () -> {}))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("(expected: " + Desk.class.getName() + ", as its other replicas have)");
    }

    @Remote
    interface Runnables {
        void run();
    }

    @Test
    void allIsAsBeforeWhenTheBrokerComesBack() {
        serve("harvey");
        Node client = client();
        Desk desk = client.lookup("desk", Desk.class);
        Endpoint endpoint = broker.endpoint();

        broker.close();
        assertThat(desk.who(List.of())).as("direct calls go on").isEqualTo("harvey[]");
        broker = Broker.start(BrokerOptions.at(endpoint));

        awaitUp(1);
        serve("bugs");
        Set<String> seen = new HashSet<>();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            seen.add(desk.who(List.of()));
            return seen.size() == 2;
        });
    }

    private void startBroker(String file) {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(Bindings.parse(file, "cleave.yaml")));
    }

    private void route(String route) {
        broker.close();
        startBroker("services: {desk: {route: " + route + "}}");
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(options.withBroker(broker.endpoint()).withPatience(Duration.ZERO));
        nodes.add(node);
        return node;
    }

    private Node client() {
        return node(NodeOptions.DEFAULT.withName("client"));
    }

    private NamedDesk serve(String name) {
        NamedDesk desk = new NamedDesk(name);
        node(NodeOptions.DEFAULT.withName(name)).bind("desk", desk);
        return desk;
    }

    private void awaitUp(int replicas) {
        Node asking = nodes.get(nodes.size() - 1);
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> assertThat(asking.list().stream()
                        .map(Services.Service::replicas)
                        .flatMap(List::stream)
                        .filter(r -> r.state() == ReplicaState.UP))
                .hasSize(replicas));
    }
}
