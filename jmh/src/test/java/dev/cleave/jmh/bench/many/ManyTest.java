package dev.cleave.jmh.bench.many;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ManyTest {

    private final Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
    private final String at = broker.endpoint().toString();

    private final List<Node> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(Node::close);
        broker.close();
    }

    @Test
    void connectionsStayAndCallsWaitWhileOthersAreAnswered() throws Exception {
        serve("idle");
        serve("pending");
        try (MemoryClient holder = MemoryClient.of("idle", at, 20)) {
            ManyClient beside = ManyClient.of(Role.IDLE, at, 20);
            ManyClient waiting = ManyClient.of(Role.PENDING, at, 50);

            assertThat(beside.answer(words("SYNC_ECHO 0 1024"))).hasSize(2);
            assertThat(waiting.answer(words("WINDOW_64 0 1024"))[0]).isPositive();
            assertThat(holder.answer(words("OPEN 0"))).containsExactly(20);
            beside.close();
            waiting.close();
        }
    }

    @Test
    void oneClientCallsOverManyConnections() throws Exception {
        serve("active");
        ManyClient client = ManyClient.of(Role.ACTIVE, at, 3);

        assertThat(client.answer(words(ManyClient.SPREAD + " 0 1"))[0]).isPositive();
        client.close();
    }

    @Test
    @Tag("full")
    void allThatIsHeldForMemoryIsLetGo() throws Exception {
        Node measured = serve("measured");
        try (MemoryClient client = MemoryClient.of("measured", at, 0)) {
            int services = measured.list().size();

            assertThat(client.answer(words("CALLS 2000"))).hasSize(2);
            assertThat(client.answer(words("CONNECTIONS 10"))).hasSize(1);
            assertThat(client.answer(words("SERVICES 4"))).hasSize(1);
            assertThat(client.answer(words("OPEN 0"))).containsExactly(0);
            assertThat(measured.list()).hasSize(services);
        }
    }

    private Node serve(String role) {
        Node server = ManyServer.serve(role, at);
        servers.add(server);
        return server;
    }

    private static String[] words(String line) {
        return line.split(" ");
    }
}
