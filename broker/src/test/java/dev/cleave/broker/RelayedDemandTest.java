package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.ReplicaState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that the broker holds until a replica asks for more by a result. */
@Timeout(60)
class RelayedDemandTest {

    @Remote
    interface Work {

        int run(int job);
    }

    private static final class GatedWork implements Work {

        final Semaphore gate = new Semaphore(0);
        final List<Integer> begun = Collections.synchronizedList(new ArrayList<>());

        @Override
        public int run(int job) {
            begun.add(job);
            gate.acquireUninterruptibly();
            return job;
        }
    }

    private static final String FILE = "services: {work: {route: relay, balance: demand(%d), deadline: %s}}";

    private final List<Node> nodes = new ArrayList<>();
    private final GatedWork one = new GatedWork();
    private final GatedWork two = new GatedWork();
    private Broker broker;

    private void start(int window) {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file(window, "30s")));
        node("one", file(window, "30s")).bind("work", one);
        node("two", file(window, "30s")).bind("work", two);
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
        await().atMost(Duration.ofSeconds(10)).until(broker::isEmpty);
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
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(second.stream().map(Pending::await))
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(one.begun.size() + two.begun.size()).isEqualTo(40);
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

        assertThat(last.await()).isEqualTo(78);
        assertThat(running.stream().map(Pending::await)).containsExactly(0, 1);
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
