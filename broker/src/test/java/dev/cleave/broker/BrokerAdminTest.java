package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators are told of a broker, and of its loss. */
@SuppressWarnings("try") // nodes and brokers that are only there
@Tag("one-jdk")
class BrokerAdminTest {

    /** Does nothing. */
    @Remote
    interface Nothing {

        void nothing();
    }

    private static HttpResponse<String> ask(int port, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersAtItsPort() throws Exception {
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node node = Node.connect(
                        NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName("one"))) {
            int port = broker.administer(null, 0);
            node.bind("nothing", (Nothing) () -> {});

            assertThat(ask(port, "/ready").statusCode()).isEqualTo(200);
            assertThat(ask(port, "/live").statusCode()).isEqualTo(200);
            assertThat(ask(port, "/metrics").body())
                    .contains("cleave_broker_sessions 1\n")
                    .contains("cleave_broker_services 1\n")
                    .containsPattern("cleave_broker_replicas\\{service=\"nothing\",state=\"(starting|up)\"\\} 1\n")
                    .contains("cleave_bound_limit{bound=\"broker.unread.bytes\"}");
        }
    }

    @SuppressWarnings("try") // the node and the second broker are there, and are not asked
    @Test
    void itsLossIsOneWarningAndItsReturnOneLine() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("dev.cleave.client.BrokerSession");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                    lines.add(line.getLevel() + " " + line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        Broker first = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        Endpoint at = first.endpoint();
        try (Node node = Node.connect(NodeOptions.DEFAULT.withBroker(at))) {
            first.close();
            Awaitility.await().until(() -> !lines.isEmpty());
            try (Broker second = Broker.start(BrokerOptions.at(at))) {
                Awaitility.await().until(() -> lines.size() > 1);
            }
        } finally {
            first.close();
            logger.removeHandler(handler);
        }
        assertThat(lines.get(0)).startsWith("WARNING the connection to the broker is lost");
        assertThat(lines.get(1)).isEqualTo("INFO connected to the broker again");
    }
}
