package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.LogLines;
import dev.cleave.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever starts first waits for the others, and says so once. */
@Tag("one-jdk")
class StartOrderTest {

    /** Doubles numbers. */
    @Remote
    public interface Twice {

        int twice(int number);
    }

    private final LogLines log = LogLines.of("dev.cleave");

    @AfterEach
    void listenNoMore() {
        log.close();
    }

    private long waiting() {
        return log.lines().stream()
                .filter(line -> line.contains("waiting for it"))
                .count();
    }

    private static NodeOptions options(String name, Endpoint broker) {
        return NodeOptions.DEFAULT.withName(name).withBroker(broker);
    }

    private static Endpoint free() {
        try (Broker first = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)))) {
            return first.endpoint();
        }
    }

    @Test
    void theClientThenTheServerThenTheBroker() {
        Endpoint at = free();
        log.lines().clear();
        CompletableFuture<Integer> called = CompletableFuture.supplyAsync(() -> {
            try (Node client = Node.connect(options("client", at))) {
                return client.lookup("twice", Twice.class).twice(21);
            }
        });
        await().until(() -> waiting() == 1);
        CompletableFuture<Node> server = CompletableFuture.supplyAsync(() -> Node.connect(options("server", at)));
        await().until(() -> waiting() == 2);

        try (Broker broker = Broker.start(BrokerOptions.at(at))) {
            await().until(() -> waiting() == 3); // the client has its broker, and waits for the service
            try (Node serving = server.join()) {
                serving.bind("twice", (Twice) number -> 2 * number);

                assertThat(called.join()).isEqualTo(42);
            }
            assertThat(broker.endpoint()).isEqualTo(at);
        }
        assertThat(log.lines().subList(0, 3))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("INFO no broker yet, waiting for it for 30 s: "),
                        line -> assertThat(line).startsWith("INFO no broker yet, waiting for it for 30 s: "),
                        line -> assertThat(line)
                                .isEqualTo("INFO service twice is not bound yet, waiting for it for 30 s"));
        assertThat(waiting()).isEqualTo(3);
    }

    @Test
    void callsOfAServiceThatIsExpectedWaitForItAndSaySoOnceTogether() {
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node client = Node.connect(options("client", broker.endpoint()));
                Node server = Node.connect(options("server", broker.endpoint()))) {
            log.lines().clear();
            Twice twice = client.expect("twice", Twice.class);
            assertThat(waiting()).isZero();
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                CompletableFuture<Integer> call = new CompletableFuture<>();
                calls.add(call);
                callers.add(new Thread(() -> call.complete(twice.twice(number))));
            }
            callers.forEach(Thread::start);
            await().until(() -> callers.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING));

            server.bind("twice", (Twice) number -> 2 * number);

            assertThat(calls.stream().map(CompletableFuture::join)).containsExactly(0, 2, 4, 6);
            assertThat(log.lines().stream().filter(line -> line.contains("twice")))
                    .containsExactly("INFO service twice is not bound yet, waiting for it for 30 s");
        }
    }
}
