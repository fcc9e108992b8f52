package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server whose {@code main} returns, as those of RMI do. */
class ServerProcessTest {

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

    /** Binds and returns; closes the node when it reads a line, or its parent is gone. */
    static final class BindsAndReturns {

        public static void main(String[] args) {
            Node node = Node.connect(args[0]);
            node.bind("echo", new RealEcho());
            Thread closing = new Thread(() -> {
                try {
                    int unused = System.in.read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                node.close();
            });
            closing.setDaemon(true);
            closing.start();
            System.out.println("bound");
        }
    }

    @Test
    void servesUntilItsNodeIsClosed() throws IOException, InterruptedException {
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            Process server = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            BindsAndReturns.class.getName(),
                            broker.endpoint().toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(out.readLine()).isEqualTo("bound");
                assertThat(server.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
                assertThat(client.lookup("echo", Echo.class).same("here")).isEqualTo("here");

                server.getOutputStream().close();

                assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(server.exitValue()).isZero();
            } finally {
                server.destroyForcibly();
            }
        }
    }
}
