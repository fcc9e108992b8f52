package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Pending;
import dev.cleave.Selection;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.ReplicaState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that the broker holds until a replica asks for more by a result. */
@Tag("one-jdk")
@Timeout(120)
@EffectOf("services.route")
class RelayedDemandTest {

    private static final String FILE = "services: {work: {route: relay, balance: demand(%d), deadline: %s}}";

    private final List<Node> nodes = new ArrayList<>();
    private final GatedWork one = new GatedWork();
    private final GatedWork two = new GatedWork();
    private Broker broker;

    private void start(int window) {
        start(file(window, "30s"));
    }

    private void start(Bindings file) {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
        node("one", file).bind("work", one);
        node("two", file).bind("work", two);
        Node client = node("watcher", Bindings.NONE);
        await().until(() -> client.list().get(0).replicas().stream().allMatch(r -> r.state() == ReplicaState.UP)
                && client.list().get(0).replicas().size() == 2);
    }

    private static Bindings file(int window, String deadline) {
        return Bindings.parse(FILE.formatted(window, deadline), "cleave.yaml");
    }

    private Node node(String name, Bindings bindings) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withCapacity(8, 100)
                .withBindings(bindings));
        nodes.add(node);
        return node;
    }

    private Work client(String name, String deadline) {
        return node(name, file(1, deadline)).lookup("work", Work.class);
    }

    private static List<Pending<Integer>> sent(Work work, int jobs) {
        return IntStream.range(0, jobs)
                .<Pending<Integer>>mapToObj(i -> Cleave.async(() -> work.run(i)))
                .toList();
    }

    @AfterEach
    void stop() {
        one.gate.release(10_000);
        two.gate.release(10_000);
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    @Test
    void allClientsTogetherHaveNoMoreAtAReplicaThanItsDemand() {
        start(2);
        List<Pending<Integer>> first = sent(client("a", "30s"), 20);
        await().until(() -> one.begun.size() == 2 && two.begun.size() == 2);
        List<Pending<Integer>> second = sent(client("b", "30s"), 20);

        two.gate.release(10);

        await().until(() -> two.begun.size() == 12);
        assertThat(one.begun).as("the slow one gets no more").hasSize(2);
        one.gate.release(1_000);
        two.gate.release(1_000);
        assertThat(first.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).map(i -> 10 * i).boxed().toList());
        assertThat(second.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).map(i -> 10 * i).boxed().toList());
        assertThat(one.begun.size() + two.begun.size()).isEqualTo(40);
    }

    @Test
    void replicasThatPullGetTheNextCallWhenTheyBeginOne() {
        start(Bindings.parse("services: {work: {route: relay, balance: pull}}", "cleave.yaml"));
        List<Pending<Integer>> sent = sent(client("a", "30s"), 40);

        await().until(() -> one.begun.size() == 8 && two.begun.size() == 8); // and one more waits at each
        two.gate.release(5);
        await().until(() -> two.begun.size() == 13);
        assertThat(one.begun).as("the slow one gets no more").hasSize(8);
        one.gate.release(1_000);
        two.gate.release(1_000);

        assertThat(sent.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, 40).map(i -> 10 * i).boxed().toList());
        assertThat(one.begun.size() + two.begun.size()).isEqualTo(40);
    }

    @Test
    void callsOfOneKeyMeetAtOneReplica() {
        Bindings file = Bindings.parse("services: {work: {route: relay, balance: affinity(job % 16)}}", "cleave.yaml");
        start(file);
        one.gate.release(10_000);
        two.gate.release(10_000);
        Work work = node("a", file).lookup("work", Work.class);
        Work other = node("b", file).lookup("work", Work.class);

        for (int i = 0; i < 96; i++) {
            assertThat((i % 32 < 16 ? work : other).run(i)).isEqualTo(10 * i);
        }

        Set<Integer> first = one.begun.stream().map(job -> job % 16).collect(Collectors.toSet());
        Set<Integer> second = two.begun.stream().map(job -> job % 16).collect(Collectors.toSet());
        assertThat(first).doesNotContainAnyElementsOf(second);
        assertThat(first.size() + second.size()).isEqualTo(16);
        assertThat(first)
                .as("all keys go the same way by a chance of 1 : 32,768")
                .isNotEmpty();
        assertThat(second).isNotEmpty();
    }

    @Test
    void whoAsksIsGivenACallOfTheKeyThatItHadLast() {
        Bindings file = Bindings.parse(
                "services: {work: {route: relay, workers: 1, balance: 'pull(1, job % 2)'}}", "cleave.yaml");
        start(file);
        Work work = node("a", file).lookup("work", Work.class);
        List<Pending<Integer>> sent = sent(work, 40);
        await().until(() -> one.begun.size() == 1 && two.begun.size() == 1);

        one.gate.release(15); // without the other moving: it goes through its own key, past the other's
        await().until(() -> one.begun.size() == 16);
        two.gate.release(1_000);
        one.gate.release(1_000);

        assertThat(sent.stream().map(Pending::await)).hasSize(40);
        assertThat(one.begun.stream().limit(16).map(job -> job % 2).distinct()).hasSize(1);
    }

    /** Everything to the replica two. */
    public static final class AllToTwo implements Selection {

        @Override
        public String select(List<Candidate> candidates, Object key) {
            assertThat(key).isInstanceOf(Long.class); // of 3, or of 4
            return "two";
        }
    }

    @Test
    void aClassOfTheApplicationSelectsAtTheBroker() {
        String balance = "class(" + AllToTwo.class.getName() + ", job)";
        Bindings file = Bindings.parse("services: {work: {route: relay, balance: '" + balance + "'}}", "cleave.yaml");
        start(file);
        two.gate.release(10_000);

        Work work = node("a", file).lookup("work", Work.class);
        assertThat(work.run(3) + work.run(4)).isEqualTo(70);

        assertThat(one.begun).isEmpty();
    }

    @Test
    void aSelectionThatCannotBeMadeIsToldAtTheStartOfTheBroker() {
        start(1);
        Bindings file =
                Bindings.parse("services: {work: {route: relay, balance: class(com.example.Nobody)}}", "cleave.yaml");

        BrokerOptions options = BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file);
        assertThatThrownBy(() -> Broker.start(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "balance: class(com.example.Nobody): not on the class path of the node that balances the calls");
    }

    @Test
    void whatIsHeldCanBeCancelledAndIsDroppedWithItsClientAndAtItsDeadline() {
        start(1);
        List<Pending<Integer>> running = sent(client("a", "30s"), 2);
        await().until(() -> one.begun.size() == 1 && two.begun.size() == 1);
        Node gone = node("gone", file(1, "30s"));
        List<Pending<Integer>> lost = sent(gone.lookup("work", Work.class), 5);
        Work late = client("late", "100ms");
        Work other = client("other", "30s");
        Pending<Integer> cancelled = Cleave.async(() -> other.run(77));
        Pending<Integer> last = Cleave.async(() -> other.run(78));

        assertThatThrownBy(() -> late.run(5)).isInstanceOf(DeadlineException.class);
        cancelled.cancel();
        gone.close();
        one.gate.release(1_000);
        two.gate.release(1_000);

        assertThat(last.await()).isEqualTo(780);
        assertThat(running.stream().map(Pending::await)).containsExactly(0, 10);
        assertThat(lost).allSatisfy(call -> assertThatThrownBy(call::await).isInstanceOf(CallException.class));
        assertThat(one.begun.size() + two.begun.size())
                .as("two, the last, and what was under way")
                .isLessThanOrEqualTo(8);
        assertThat(one.begun).doesNotContain(77);
        assertThat(two.begun).doesNotContain(77);
    }

    @Test
    void theWindowChangesWithTheFileOfTheBroker(@TempDir Path folder) throws IOException {
        start(1);
        Path path = Files.writeString(folder.resolve("cleave.yaml"), FILE.formatted(1, "30s"));
        broker.follow(path);
        List<Pending<Integer>> sent = sent(client("a", "30s"), 10);
        await().until(() -> one.begun.size() == 1 && two.begun.size() == 1);

        Files.writeString(path, FILE.formatted(3, "30s") + " # more");

        await().until(() -> one.begun.size() == 3 && two.begun.size() == 3);
        one.gate.release(100);
        two.gate.release(100);
        assertThat(sent.stream().map(Pending::await)).hasSize(10);
    }
}
