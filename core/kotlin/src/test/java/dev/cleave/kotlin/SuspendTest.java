package dev.cleave.kotlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.shop.Inventory;
import com.acme.shop.Part;
import com.acme.shop.Shop;
import com.acme.shop.Warehouse;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The program of {@code examples/samples/kotlin}, as Kotlin's compiler has compiled it, between two nodes. */
class SuspendTest {

    private Broker broker;
    private Node server;
    private Node client;
    private Inventory inventory;

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        server.bind("inventory", Inventory.class, new Warehouse());
        inventory = client.lookup("inventory", Inventory.class);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        broker.close();
    }

    @Test
    void theProgramComputesWhatItComputesWithoutANetwork() {
        List<Object> here = new Shop(new Warehouse()).report(40);

        assertThat(new Shop(inventory).report(40)).isEqualTo(here);
        assertThat(here)
                .contains("reserved", "sold out: 13", List.of(new Part("part 4.1", null), new Part("part 4.2", 2), new Part("part 4.1", null)));
    }
}
