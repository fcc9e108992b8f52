package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.node.AheadBytesTest.Counting;
import dev.cleave.node.AheadBytesTest.Loop;
import dev.cleave.node.AheadBytesTest.Store;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with a small heap whose loops send large arguments, or get large results: as written it has one at a time. */
@Tag("one-jdk")
@Timeout(120)
class SmallHeapTest extends TcpNodesUnderTest {

    private static final int CALLS = 30; // more than fit
    private static final int LARGE = 8 << 20;

    /** The process. */
    static final class Caller {

        private Caller() {}

        /** The port of the broker, and the method that is called. */
        public static void main(String[] args) throws Throwable {
            NodeOptions options = NodeOptions.DEFAULT
                    .withName("small")
                    .withBroker(Endpoint.tcp("localhost", Integer.parseInt(args[0])))
                    .withBindings(Bindings.parse("application: test", "cleave.yaml"));
            try (NettyTransport transport = NettyTransport.create();
                    Node node = Node.connect(options.withTransport(transport))) {
                Store store = node.lookup("store", Store.class);
                boolean isGet = args[1].equals("get");
                Loop loop = new Loop(args[1], isGet ? int.class : byte[].class);
                long sum = isGet ? loop.gets(store, CALLS, i -> LARGE) : loop.puts(store, CALLS, i -> LARGE);
                System.out.println("sum " + sum);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "put"})
    void endsAsWritten(String method) throws Exception {
        Counting served = new Counting();
        node(NodeOptions.DEFAULT.withName("one").withArriving(256 << 20)).bind("store", served);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(Caller.class.getName());
        command.add(String.valueOf(broker.endpoint().port()));
        command.add(method);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(out).isTrue();
            assertThat(out).contains("sum " + (long) CALLS * LARGE);
            assertThat(served.executed).hasValue(CALLS);
        } finally {
            process.destroyForcibly();
        }
    }
}
