package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that has less memory than what goes through it. For the sizes of the promise (1 GiB through 256 MiB) run it with
 * {@code -Drelay.mib=1024 -Drelay.heap=256} in a JVM with a heap of 8 GiB.
 */
@Tag("one-jdk")
class SmallHeapRelayTest {

    private static final int MIB = Integer.getInteger("relay.mib", 96);
    private static final int HEAP = Integer.getInteger("relay.heap", 24);

    @TempDir
    Path directory;

    /** Takes something large. */
    @Remote
    interface Sink {

        long checksum(byte[] bytes);

        byte[] back(byte[] bytes);
    }

    private static final class RealSink implements Sink {

        @Override
        public long checksum(byte[] bytes) {
            return SmallHeapRelayTest.checksum(bytes);
        }

        @Override
        public byte[] back(byte[] bytes) {
            return bytes;
        }
    }

    @Test
    void anArgumentLargerThanTheBrokerGoesThroughItToASlowReceiver() throws IOException {
        List<String> memory =
                List.of("-Xmx" + HEAP + "m", "-XX:MaxDirectMemorySize=" + HEAP + "m", "-Dcleave.samehost=tcp");
        JvmCommand command = new JvmCommand(
                "broker", memory, "dev.cleave.broker.cli.Main", List.of("broker", "--listen", "localhost:0"));
        try (Fleet fleet = Fleet.open(directory, death -> {})) {
            Member broker = fleet.start(command, line -> {});
            String url = "cleave://"
                    + broker.awaitLine("broker ready at ", Duration.ofSeconds(60))
                            .split("cleave://")[1];
            Bindings slow = file("link: {rate: 100MiB/s}, replicas: [{name: slow, host: localhost}]");
            try (Node server = node("slow", url, slow);
                    Node client = node("client", url, file("deadline: 10m"))) {
                server.bind("sink", new RealSink());
                Sink sink = client.lookup("sink", Sink.class);
                byte[] bytes = new byte[MIB << 20];
                new Random(5).nextBytes(bytes);

                long checksum = sink.checksum(bytes);
                byte[] small = new byte[3 << 20];
                Pending<byte[]> back = Cleave.async(() -> sink.back(small));

                assertThat(checksum).isEqualTo(checksum(bytes));
                assertThat(back.await()).isEqualTo(small);
                assertThat(broker.isAlive()).isTrue();
            }
        }
    }

    private static Bindings file(String more) {
        return Bindings.parse("services: {sink: {route: relay, " + more + "}}", "cleave.yaml");
    }

    private static Node node(String name, String broker, Bindings file) {
        return Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBindings(file)
                .withArriving((MIB + 8L) << 20)
                .withBroker(Endpoint.parse(broker)));
    }

    private static long checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }
}
