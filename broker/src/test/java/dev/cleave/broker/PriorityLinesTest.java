package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Serial;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of calls that wait for room at a replica: at the broker on route relay, at their caller on route direct. */
@Timeout(120)
@Tag("one-jdk")
class PriorityLinesTest {

    @Remote
    interface SizedWork extends Work {

        int sized(byte[] job);
    }

    private static final class GatedSizedWork extends GatedWork implements SizedWork {

        @Override
        public int sized(byte[] job) {
            return run(job.length);
        }
    }

    @Serial
    private static final class SerialWork implements SizedWork {

        @Override
        public int run(int job) {
            return job;
        }

        @Override
        public int sized(byte[] job) {
            return job.length;
        }
    }

    private static final String PRIORITY = "balance: demand(1), methods: {run: {priority: job, deadline: %s}}";

    private final List<Node> nodes = new ArrayList<>();
    private final GatedSizedWork served = new GatedSizedWork();
    private Broker broker;
    private SizedWork stub;

    private void start(String route, String more) {
        Bindings file =
                Bindings.parse("services: {work: {route: " + route + ", workers: 1, " + more + "}}", "cleave.yaml");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
        node("one", file).bind("work", served);
        Node client = node("client", file);
        await().until(() -> !client.list().isEmpty()
                && client.list().get(0).replicas().stream().allMatch(r -> r.state() == ReplicaState.UP));
        stub = client.lookup("work", SizedWork.class);
    }

    private Node node(String name, Bindings bindings) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withBindings(bindings));
        nodes.add(node);
        return node;
    }

    @AfterEach
    void stop() {
        served.gate.release(10_000);
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(10)).until(broker::isEmpty);
        broker.close();
    }

    private Pending<Integer> sent(int job) {
        return Cleave.async(() -> stub.run(job));
    }

    /** Sends a call that has the only worker until the gate opens, and others behind it. */
    private List<Pending<Integer>> sentBehindAnother(int... jobs) {
        List<Pending<Integer>> sent = new ArrayList<>();
        sent.add(sent(0));
        await().until(() -> served.begun.equals(List.of(0)));
        IntStream.of(jobs).forEach(job -> sent.add(sent(job)));
        return sent;
    }

    private void letAllEnd(int calls) {
        assertThat(nodes.get(1).list())
                .as("the broker has all that was sent before")
                .hasSize(1);
        served.gate.release(calls);
        await().until(() -> served.begun.size() == calls);
    }

    @EffectOf("services.balance")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theGreatestPriorityLeavesTheLineFirst(String route) {
        start(route, PRIORITY.formatted("30s"));

        List<Pending<Integer>> sent = sentBehindAnother(3, 1, 5, 2, 5, 4);
        letAllEnd(7);

        assertThat(served.begun).containsExactly(0, 5, 5, 4, 3, 2, 1);
        assertThat(sent.stream().map(Pending::await)).containsExactly(0, 30, 10, 50, 20, 50, 40);
    }

    @EffectOf("services.prefer")
    @ParameterizedTest
    @CsvSource({"blocked, 1 5 3", "priority, 5 3 1"})
    void theFileSaysWhetherABlockedCallerGoesFirst(String word, String order) throws InterruptedException {
        start("direct", "balance: demand(1), prefer: " + word + ", methods: {run: {priority: job}}");

        List<Pending<Integer>> sent = sentBehindAnother(3, 1, 5);
        Thread blocked = new Thread(() -> sent.get(2).await());
        blocked.start();
        await().until(() -> blocked.getState() == Thread.State.TIMED_WAITING);
        letAllEnd(4);
        blocked.join();

        assertThat(served.begun.stream().skip(1).map(String::valueOf)).containsExactly(order.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void withoutAPriorityTheLargestGoesFirstIfThatIsLearned(String route) {
        start(route, "balance: learned");
        Pending<Integer> first = Cleave.async(() -> stub.sized(new byte[1000])); // takes until the gate opens
        await().until(() -> served.begun.equals(List.of(1000)));
        Pending<Integer> second = Cleave.async(() -> stub.sized(new byte[1])); // waits at the replica
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int bytes : new int[] {300, 100, 500, 200}) {
            sent.add(Cleave.async(() -> stub.sized(new byte[bytes])));
        }
        letAllEnd(6);

        assertThat(served.begun).containsExactly(1000, 1, 500, 300, 200, 100);
        assertThat(sent.stream().map(Pending::await)).containsExactly(3000, 1000, 5000, 2000);
        assertThat(first.await() + second.await()).isEqualTo(10_010);
    }

    @Test
    void aCallThatIsCancelledInTheLineOfItsCallerWasNotExecuted() {
        start("direct", PRIORITY.formatted("30s"));
        List<Pending<Integer>> sent = sentBehindAnother(1, 2);

        assertThat(sent.get(1).cancel()).isTrue();
        letAllEnd(2);

        assertThat(served.begun).containsExactly(0, 2);
        assertThatThrownBy(() -> sent.get(1).await())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
    }

    @Test
    void aCallThatFindsNoRoomInTimeWasNotExecuted() {
        start("direct", PRIORITY.formatted("200ms"));
        Pending<Integer> endless = Cleave.async(() -> stub.sized(new byte[0]));
        await().until(() -> served.begun.equals(List.of(0)));

        assertThatThrownBy(() -> stub.run(7))
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("each replica had as many calls as it may have until the deadline");
        assertThat(served.begun).containsExactly(0);
        assertThat(endless.isDone()).isFalse();
    }

    @Test
    void callsThatWaitAtTheirCallerEndWhenItsNodeCloses() {
        start("direct", PRIORITY.formatted("30s"));
        List<Pending<Integer>> sent = sentBehindAnother(1, 2);

        nodes.get(1).close();

        assertThat(sent.subList(1, 3)).allSatisfy(call -> assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue()));
    }

    @Test
    void threadsThatCallAndWaitAreServedInTheSameOrder() throws InterruptedException {
        start("direct", PRIORITY.formatted("30s"));
        List<Thread> threads = new ArrayList<>();
        sentBehindAnother();
        for (int job : new int[] {2, 9, 4}) {
            Thread thread = new Thread(() -> stub.run(job));
            thread.start();
            threads.add(thread);
        }
        await().until(() -> threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
        letAllEnd(4);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(served.begun).containsExactly(0, 9, 4, 2);
    }

    @Test
    void serialObjectsKeepTheOrderOfTheirCalls() {
        start("direct", "balance: learned");
        Node server = node("serial", Bindings.parse("services: {serial: {balance: learned}}", "cleave.yaml"));

        assertThatThrownBy(() -> server.bind("serial", new SerialWork()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("balance: learned")
                .hasMessageContaining("which is @Serial");
    }
}
