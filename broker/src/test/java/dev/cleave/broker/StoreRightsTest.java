package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.ref.References;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Replicas;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds an object of a server may put values near it; others without a right may not. */
@Tag("one-jdk")
@Timeout(120)
class StoreRightsTest {

    /** An object of the server. */
    @Remote
    interface Desk {

        long total(Ref<long[]> amounts);
    }

    /** The service. */
    @Remote
    interface Office {

        Desk desk();
    }

    private static final class RealDesk implements Desk {

        @Override
        public long total(Ref<long[]> amounts) {
            return Arrays.stream(amounts.get()).sum();
        }
    }

    private static final String FILE = """
            services: {relayed: {route: relay}}
            security:
              rights:
                - {identity: server, register: ["*"]}
                - {identity: clerk, call: ["*"]}
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

    @Test
    void aGuestWithoutARightPutsNothingNearObjectsThatItWasNotGiven() {
        Desk desk = new RealDesk();
        Node server = node("server");
        server.bind("office", (Office) () -> desk);
        Transport clerk = open(NettyTransport.create(NettyOptions.DEFAULT, keys.of("clerk")));
        TestNode asking = open(TestNode.connect(clerk, broker.endpoint(), "clerk"));
        asking.send(new Lookup(1, "office"));
        String endpoint = Replicas.read(asking.awaitFrame(frame -> Header.kind(frame) == FrameKind.REPLICAS))
                .replicas()
                .get(0)
                .endpoints()
                .get(0);
        Transport transport = open(NettyTransport.create(NettyOptions.DEFAULT, keys.of("guest")));
        TestNode guest = open(TestNode.connect(transport, Endpoint.parse(endpoint), "guest"));

        guest.send(new Methods(
                0,
                List.of(new Methods.Method(
                        0,
                        References.MARK + "store#" + References.MARK + Desk.class.getName(),
                        "create(Ljava/lang/String;I)Ldev/cleave/ref/Slot;"))));
        guest.call(1, 0, 5_000_000, "\0".repeat(40));

        Failure failure = Failure.read(
                guest.awaitFrame(frame -> Header.kind(frame) == FrameKind.FAILURE && Header.id(frame) == 1));
        assertThat(failure.code()).isEqualTo(ErrorCode.DENIED);
        assertThat(failure.execution()).isEqualTo(Execution.NOT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"office", "relayed"})
    void whoHoldsAnObjectPutsValuesNearIt(String service) {
        Desk desk = new RealDesk();
        node("server").bind(service, (Office) () -> desk);
        Node clerk = node("clerk");

        Desk held = clerk.lookup(service, Office.class).desk();
        Ref<long[]> amounts = clerk.put(new long[] {3, 4}, held);

        assertThat(held.total(amounts)).isEqualTo(7);
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
