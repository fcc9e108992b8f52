package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class EmbeddedBrokerTest {

    @Remote
    interface Twice {
        int twice(int number);
    }

    @Test
    void theFirstNodeStartsTheBrokerThatTheOthersUse() throws IOException {
        Endpoint free = freeEndpoint();
        try (Node first = Node.connect(NodeOptions.DEFAULT.withName("first"), free);
                Node second = Node.connect(NodeOptions.DEFAULT.withName("second"), free)) {
            first.bind("twice", (Twice) number -> 2 * number);

            assertThat(second.lookup("twice", Twice.class).twice(21)).isEqualTo(42);
        }
        assertThatThrownBy(
                        () -> Node.connect(NodeOptions.DEFAULT.withBroker(free).withPatience(Duration.ofMillis(100))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(free.toString());
    }

    private static Endpoint freeEndpoint() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return Endpoint.tcp("localhost", socket.getLocalPort());
        }
    }
}
