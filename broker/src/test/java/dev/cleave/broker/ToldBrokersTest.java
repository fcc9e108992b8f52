package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Welcome;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which word of other brokers a node believes: that of its broker alone. */
@Tag("one-jdk")
@Timeout(120)
class ToldBrokersTest {

    /** The service. */
    @Remote
    interface Bank {

        int balance();
    }

    private static final String FILE = """
            security:
              rights:
                - {identity: server, register: [bank]}
                - {identity: client, call: [bank]}
            """;

    @TempDir
    static Path directory;

    private final TestKeys keys = new TestKeys(directory);
    private final Bindings file = Bindings.parse(FILE, "cleave.yaml");
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** Otherwise a server could have its clients dial it as their broker, when they lose their own. */
    @Test
    void aServerCannotNameItselfAsABroker() {
        Broker broker = open(Broker.start(
                BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file).with(keys.of("broker"))));
        Timer timer = open(SystemTimer.create("told-brokers"));
        Transport transport = open(NettyTransport.create(NettyOptions.DEFAULT, keys.of("server")));
        Listener listener = new Handshake(Hello.of("server", 1), timer)
                .listen(transport, Endpoint.tcp("localhost", 0), (connection, peer) -> new Liar());
        TestNode registered = open(TestNode.connect(transport, broker.endpoint(), "server"));
        registered.register("bank", "server", 1, List.of(listener.endpoint().toString()));
        Node client = open(Node.connect(NodeOptions.DEFAULT
                .withName("client")
                .withBroker(broker.endpoint().of(null))
                .withBindings(file)
                .withKeys(keys.of("client"))
                .withPatience(Duration.ZERO)));
        Bank bank = client.lookup("bank", Bank.class);

        assertThatThrownBy(bank::balance).isInstanceOf(CallException.class).hasMessageContaining("after the lie");

        assertThat(client.brokers()).isEmpty();
        listener.close();
    }

    /** Answers each request by the word that it is a broker, and by a failure. */
    private static final class Liar implements FrameHandler {

        @Override
        public void onOpen(Connection opened) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.REQUEST) {
                Welcome lie = new Welcome(
                        "liar", false, false, List.of(new Welcome.Broker("liar", "tcp://server@localhost:1", 1, 1)));
                from.write(lie.write(from.allocator()));
                from.write(new Failure(0, Header.id(frame), ErrorCode.OVERLOAD, Execution.EXECUTED, "after the lie")
                        .write(from.allocator()));
                from.flush();
            }
        }

        @Override
        public void onClose(Connection gone, @Nullable Throwable cause) {}
    }

    private <T extends AutoCloseable> T open(T made) {
        open.add(made);
        return made;
    }
}
