package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who keeps the JVM alive when {@code main} has returned. */
class KeepAliveTest extends NodesUnderTest {

    private final String name = "n-" + UUID.randomUUID();

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    @Test
    void aNodeThatServesDoesUntilItServesNothing() {
        Node server = node(NodeOptions.DEFAULT.withName(name));
        server.bind("one", new RealShop("one"));
        server.bind("two", new RealShop("two"));
        assertThat(holding()).isEqualTo(1);

        server.unbind("one");
        assertThat(holding()).isEqualTo(1);

        server.unbind("two");
        await().until(() -> holding() == 0);

        server.rebind("one", new RealShop("one"));
        assertThat(holding()).isEqualTo(1);
    }

    @Test
    void aNodeThatIsClosedDoesNotAnyMore() {
        Node server = node(NodeOptions.DEFAULT.withName(name));
        server.bind("one", new RealShop("one"));

        server.close();

        await().until(() -> holding() == 0);
    }

    @Test
    void aNodeThatOnlyCallsDoesNot() {
        node(NodeOptions.DEFAULT.withName(name + "-server")).bind("one", new RealShop("one"));

        node(NodeOptions.DEFAULT.withName(name)).lookup("one", Shop.class);

        assertThat(holding()).isZero();
    }

    private long holding() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() && thread.getName().equals("cleave-node-" + name))
                .count();
    }
}
