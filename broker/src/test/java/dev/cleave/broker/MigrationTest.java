package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Serial;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait move between the queues of real servers, over real transports. */
@Tag("one-jdk")
@Timeout(120)
@EffectOf("services.migrate")
class MigrationTest {

    private static final String FILE = """
            services:
              work:
                replicas: [{name: slow}, {name: fast}]
                route: %s
                balance: static("1:0")
                workers: 1
                migrate: %s
            """;
    private static final String PULLS = "[\"slow # fast(uc: load == 0) : [1/2]\"]";

    @Serial
    private static final class InOrder extends GatedWork {}

    private final List<Node> nodes = new ArrayList<>();
    private GatedWork slow = new GatedWork();
    private final GatedWork fast = new GatedWork();
    private Broker broker;

    private void start(String route, String migrate) {
        Bindings bindings = Bindings.parse(FILE.formatted(route, migrate), "cleave.yaml");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings));
        node("slow", bindings).bind("work", slow);
        node("fast", bindings).bind("work", fast);
        Node watcher = node("watcher", bindings);
        await().until(() -> watcher.list().get(0).replicas().size() == 2
                && watcher.list().get(0).replicas().stream().allMatch(r -> r.state() == ReplicaState.UP));
    }

    private Node node(String name, Bindings bindings) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withBindings(bindings));
        nodes.add(node);
        return node;
    }

    private Work client(String route) {
        return node("client", Bindings.parse(FILE.formatted(route, "[]"), "cleave.yaml"))
                .lookup("work", Work.class);
    }

    private static List<Pending<Integer>> sent(Work work, int jobs) {
        return IntStream.range(0, jobs)
                .<Pending<Integer>>mapToObj(i -> Cleave.async(() -> work.run(i)))
                .toList();
    }

    private static void assertAllAnswered(List<Pending<Integer>> sent) {
        assertThat(sent.stream().map(Pending::await))
                .containsExactlyElementsOf(
                        IntStream.range(0, sent.size()).map(i -> i * 10).boxed().toList());
    }

    @AfterEach
    void stop() {
        slow.gate.release(100_000);
        fast.gate.release(100_000);
        nodes.forEach(Node::close);
        await().atMost(Duration.ofSeconds(60)).until(broker::isEmpty);
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void anIdleReplicaGetsHalfOfWhatWaitsAndSoOnToTheEnd(String route) {
        start(route, PULLS);
        List<Pending<Integer>> sent = sent(client(route), 20);

        fast.gate.release(1_000); // the slow one never ends its first call by itself

        await().until(() -> fast.begun.size() == 19);
        assertThat(slow.begun).hasSize(1);
        slow.gate.release(1_000);
        assertAllAnswered(sent);
        assertThat(fast.begun).doesNotContainAnyElementsOf(slow.begun).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void anOverloadedReplicaGivesAwaySoManyAtATime(String route) {
        start(route, "[\"slow(oc: load >= 8) # fast : [3]\"]");
        List<Pending<Integer>> sent = sent(client(route), 9);

        // 9 are too many, and 3 go; 6 are not
        await().until(() -> !fast.begun.isEmpty());
        assertThat(slow.begun).containsExactly(0);
        fast.gate.release(1_000);
        slow.gate.release(1_000);
        assertAllAnswered(sent);
        assertThat(fast.begun).hasSizeBetween(1, 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void callsOfASerialObjectStay(String route) {
        slow = new InOrder();
        start(route, PULLS);
        List<Pending<Integer>> sent = sent(client(route), 10);

        await().until(() -> slow.begun.size() == 1);
        slow.gate.release(1_000);

        assertAllAnswered(sent);
        assertThat(slow.begun)
                .containsExactlyElementsOf(IntStream.range(0, 10).boxed().toList());
        assertThat(fast.begun).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void whatHasMovedEndsWithItsReceiverInDoubt(String route) {
        start(route, PULLS);
        List<Pending<Integer>> sent = sent(client(route), 8);
        await().until(() -> !fast.begun.isEmpty());
        int running = fast.begun.get(0);

        nodes.get(1).close(); // the fast one, which runs one call and may have others

        assertThatThrownBy(() -> sent.get(running).await())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue());
        slow.gate.release(1_000);
        for (int job = 0; job < sent.size(); job++) {
            int number = job;
            try {
                assertThat(sent.get(job).await()).isEqualTo(job * 10);
                assertThat(slow.begun.stream().filter(j -> j == number)).hasSize(1);
            } catch (CallException e) {
                assertThat(slow.begun)
                        .as("a call that is in doubt or refused does not run")
                        .doesNotContain(job);
            }
        }
    }

    @Test
    void movesBeginAndEndWithTheFile(@TempDir Path folder) throws IOException {
        start("direct", "[]");
        Path path = Files.writeString(folder.resolve("cleave.yaml"), FILE.formatted("direct", "[]"));
        broker.follow(path);
        Work work = client("direct");
        List<Pending<Integer>> sent = sent(work, 5);
        await().until(() -> slow.begun.size() == 1);
        assertThat(fast.begun).isEmpty();

        Files.writeString(path, FILE.formatted("direct", PULLS));

        await().until(() -> !fast.begun.isEmpty());
        slow.gate.release(1_000);
        fast.gate.release(1_000);
        assertAllAnswered(sent);
    }
}
