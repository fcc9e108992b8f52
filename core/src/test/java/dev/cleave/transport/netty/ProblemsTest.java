package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.RecordingHandler;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProblemsTest {

    private static final Endpoint ENDPOINT = Endpoint.tcp("harvey", 7420);

    @Test
    void timeOutNamesTheEndpointAndWhatToCheck() {
        TransportException problem =
                Problems.connect(ENDPOINT, Duration.ofSeconds(3), new ConnectTimeoutException("slow"));

        assertThat(problem).hasMessage("tcp://harvey:7420: no answer within 3000 ms (check host, port and firewall)");
    }

    @Test
    void foreignAddressNamesTheEndpoint() {
        TransportException problem = Problems.listen(ENDPOINT, new IOException("Cannot assign requested address"));

        assertThat(problem)
                .hasMessage("tcp://harvey:7420: not an address of this machine (choose one that is, or localhost)");
    }

    @Test
    void anythingElseKeepsItsReason() {
        assertThat(Problems.connect(ENDPOINT, Duration.ofSeconds(3), new IOException("no route to host")))
                .hasMessage("tcp://harvey:7420: cannot connect: no route to host");
        assertThat(Problems.listen(ENDPOINT, new IOException()))
                .hasMessage("tcp://harvey:7420: cannot listen: IOException");
    }

    @Test
    void unknownHostIsNamed() {
        Endpoint nowhere = Endpoint.tcp("no-such-host.invalid", 7420);
        try (Transport transport = NettyTransport.create()) {
            assertThatThrownBy(() -> transport.connect(nowhere, new RecordingHandler()))
                    .isInstanceOf(TransportException.class)
                    .hasMessage("tcp://no-such-host.invalid:7420: unknown host no-such-host.invalid"
                            + " (expected: a name that resolves, or an address)");
        }
    }
}
