package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.DeniedException;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.metrics.Refusals;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that go from one server to another, where each server has an identity and rights are closed. */
@Tag("one-jdk")
@Timeout(120)
class ForwardedResultsRightsTest {

    /** A stage of a computation. */
    @Remote
    @Async
    interface Stage {

        int step(int value);
    }

    private static final int NO_VALUE = 77_777;
    private static final String FILE = """
            services:
              relayed-first: {route: relay}
              relayed-second: {route: relay}
            security:
              rights:
                - {identity: one, register: [first, relayed-first]}
                - {identity: two, register: [second, relayed-second]}
                - {identity: client, call: ["*"]}
            """;

    @TempDir
    static Path directory;

    private final TestKeys keys = new TestKeys(directory);
    private final Bindings file = Bindings.parse(FILE, "cleave.yaml");
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Broker broker = open(Broker.start(
            BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file).with(keys.of("broker"))));

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** The servers may call nothing: the key of the lane, which the client has made, is their right to the result. */
    @ParameterizedTest
    @ValueSource(strings = {"", "relayed-"})
    void aServerFetchesTheResultOfAnotherThatItMayNotCall(String route) throws Throwable {
        Node one = node("one");
        Node two = node("two");
        List<Integer> seen = new ArrayList<>();
        one.bind(route + "first", (Stage) value -> value + 1);
        two.bind(route + "second", (Stage) value -> {
            seen.add(value);
            return value * 2;
        });
        Node client = node("client");
        Stage first = client.lookup(route + "first", Stage.class);
        Stage second = client.lookup(route + "second", Stage.class);
        long denials = Refusals.of("denied.call");
        Chain chain = Chain.dependent();

        Handle begun = send(chain, first, 1);
        chain.pass(0, begun);
        Handle passed = send(chain, second, NO_VALUE);
        await().atMost(Duration.ofSeconds(60)).until(passed::isDone);

        assertThat(passed.awaitInt()).isEqualTo(4);
        assertThat(begun.awaitInt()).isEqualTo(2);
        chain.end();
        assertThat(seen).containsExactly(2);
        assertThat(Refusals.of("denied.call")).isEqualTo(denials);
        assertThatThrownBy(() -> two.lookup(route + "first", Stage.class)).isInstanceOf(DeniedException.class);
    }

    private static Handle send(Chain chain, Stage stub, int value) throws ReflectiveOperationException {
        Method twin = Arrays.stream(stub.getClass().getMethods())
                .filter(method -> method.getName().equals("step$chain"))
                .findFirst()
                .orElseThrow();
        twin.setAccessible(true);
        return (Handle) twin.invoke(stub, chain, value);
    }

    private Node node(String identity) {
        return open(Node.connect(NodeOptions.DEFAULT
                .withName(identity)
                .withBroker(broker.endpoint().of(null))
                .withBindings(file)
                .withKeys(keys.of(identity))
                .withPatience(Duration.ZERO)));
    }

    private <T extends AutoCloseable> T open(T made) {
        open.add(made);
        return made;
    }
}
