package com.acme.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InventoryTest {

    @Test
    void itsCallsAreUnderWayTogether() {
        CountDownLatch two = new CountDownLatch(2);
        Warehouse warehouse = item -> {
            two.countDown();
            try {
                assertTrue(two.await(30, TimeUnit.SECONDS), "the second call has come before the first was answered");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return item.length();
        };
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node server = Node.connect(
                        NodeOptions.DEFAULT.withBroker(broker.endpoint()).withCapacity(4, 100));
                Node client = Node.connect(broker.endpoint().toString())) {
            server.bind("warehouse", warehouse);

            assertEquals(
                    6, new Inventory(client.lookup("warehouse", Warehouse.class)).count(List.of("a", "bb", "ccc")));
        }
    }
}
