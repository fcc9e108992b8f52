package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cleave.Remote;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.broker.process.Member;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker and a server in a process of few file descriptors, and more connections than that. */
@Tag("one-jdk")
class FewDescriptorsTest {

    private static final int LIMIT = 100;
    private static final int FLOOD = 150;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FULL = "no connection is accepted for";

    @TempDir
    Path directory;

    /** What it serves. */
    @Remote
    interface Echo {

        String same(String text);
    }

    private static final class RealEcho implements Echo {

        @Override
        public String same(String text) {
            return text;
        }
    }

    /** A transport that prints where it listens. */
    private record Told(Transport real) implements Transport {

        @Override
        public Connection connect(Endpoint endpoint, FrameHandler handler) {
            return real.connect(endpoint, handler);
        }

        @Override
        public Listener listen(Endpoint endpoint, Acceptor acceptor) {
            Listener listener = real.listen(endpoint, acceptor);
            System.out.println("listens at " + listener.endpoint().port());
            return listener;
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** A broker and a server; ends with its parent. */
    static final class Scarce {

        public static void main(String[] args) throws InterruptedException {
            Broker broker = Broker.start(
                    BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(new Told(NettyTransport.create())));
            Node server = Node.connect(
                    NodeOptions.DEFAULT.withBroker(broker.endpoint()).withTransport(new Told(NettyTransport.create())));
            server.bind("echo", new RealEcho());
            System.out.println("bound");
            server.await();
        }
    }

    @Test
    void aFloodOfConnectionsEndsNothingThatStandsAndIsOverWithItsEnd() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash sets the limit");
        List<String> said = new CopyOnWriteArrayList<>();
        Launcher limited =
                Launcher.OWN.behind(List.of("/bin/bash", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "bash"));
        JvmCommand command =
                new JvmCommand("scarce", List.of("-Xmx64m"), Scarce.class.getName(), List.of()).with(limited);
        try (Fleet fleet = Fleet.open(directory, death -> {})) {
            Member scarce = fleet.start(command, said::add);
            int brokerPort = port(scarce.awaitLine("listens at ", PATIENCE));
            int serverPort = port(scarce.awaitLine("listens at ", PATIENCE));
            scarce.awaitLine("bound", PATIENCE);
            try (Node early = client(brokerPort)) {
                Echo echo = early.lookup("echo", Echo.class);
                assertThat(echo.same("before")).isEqualTo("before");
                for (int port : new int[] {brokerPort, serverPort}) {
                    int tellings = tellings(said).size();
                    List<Socket> flood = flood(port);
                    await().atMost(PATIENCE).until(() -> tellings(said).size() > tellings);
                    assertThat(echo.same("meanwhile")).isEqualTo("meanwhile");
                    for (Socket each : flood) {
                        each.close();
                    }
                    callOfANewcomer(brokerPort);
                }
                assertThat(echo.same("after")).isEqualTo("after");
            }
            assertThat(tellings(said)).hasSizeBetween(2, 6); // one a minute of each door
            assertThat(said).hasSizeLessThan(20);
            assertThat(scarce.isAlive()).isTrue();
        } finally {
            System.out.println(String.join("\n", said));
        }
    }

    private static void callOfANewcomer(int port) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            try (Node late = client(port)) {
                assertThat(late.lookup("echo", Echo.class).same("late")).isEqualTo("late");
            }
        });
    }

    private static List<String> tellings(List<String> said) {
        return said.stream().filter(line -> line.contains(FULL)).toList();
    }

    private static List<Socket> flood(int port) throws IOException {
        List<Socket> flood = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            flood.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        return flood;
    }

    private static Node client(int port) {
        return Node.connect(NodeOptions.DEFAULT.withBroker(Endpoint.tcp("localhost", port)));
    }

    private static int port(String line) {
        return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
    }
}
