package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.broker.cli.Main;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cleave verify} on programs in JVMs of their own. */
@Timeout(300)
@Tag("one-jdk")
class VerifyCommandTest {

    private static final String CLASSES = Path.of("target", "classes").toString();
    private static final String TESTS = Path.of("target", "test-classes").toString();

    /** Counts, and may be asked in any order. */
    @Remote
    public interface Counter {

        /** How much a thing counts. */
        @Async
        int weight(int thing);
    }

    /** Adds what things count, and says how. */
    public static final class Sum {

        private Sum() {}

        /** Prints the sum; with an argument also what no two runs have in common. */
        public static void main(String[] args) {
            try (Node node = Node.connect()) {
                Counter counter = node.lookup("counter", Counter.class);
                int sum = 0;
                for (int i = 0; i < 50; i++) {
                    sum = sum * 31 + counter.weight(i);
                }
                System.out.println("sum " + sum);
                if (args.length > 0) {
                    System.out.println("process " + ProcessHandle.current().pid());
                }
            }
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... words) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), words);
    }

    @Test
    void linksWhatWasRewritten() {
        assertThat(run("verify", CLASSES, "--config", "dna.yaml"))
                .as(err.toString())
                .isZero();

        assertThat(out.toString()).containsPattern("([1-9]\\d*) of \\1 rewritten classes link as before");
    }

    @Test
    @Tag("full")
    void comparesAgainstAScript() {
        assertThat(run(
                        "verify",
                        CLASSES,
                        "--config",
                        "dna.yaml",
                        "--scripted",
                        "7",
                        "--main",
                        "dev.cleave.examples.dna.Search",
                        "--arg",
                        "1"))
                .as(out + " " + err)
                .isZero();

        assertThat(out.toString()).contains("identical: exit code 0, output, and 158 calls");
    }

    @Test
    void comparesAgainstWhatRealServicesHaveSaid() throws Exception {
        AtomicInteger executed = new AtomicInteger();
        Counter counter = thing -> 7 * thing + executed.getAndIncrement();
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node server = Node.connect(broker.endpoint().toString())) {
            server.bind("counter", counter);
            String[] command = {
                "verify", TESTS, "--broker", broker.endpoint().toString(), "--main", Sum.class.getName(), "--arg", "x"
            };

            assertThat(run(command)).as(out + " " + err).isEqualTo(1);
            assertThat(out.toString()).contains("different:\n  output, line 2: as written \"process ");
            assertThat(executed).as("the second run is answered by the first").hasValue(50);
        }
    }

    @Test
    @Tag("full")
    void linesWithWhatMayDifferAreLeftOut() throws Exception {
        Path file = directory.resolve("counter.yaml");
        Files.writeString(file, "services: {counter: {interface: " + Counter.class.getName() + "}}");

        assertThat(run(
                        "verify",
                        TESTS,
                        "--config",
                        file.toString(),
                        "--scripted",
                        "3",
                        "--main",
                        Sum.class.getName(),
                        "--arg",
                        "x",
                        "--ignore",
                        "^process "))
                .as(out + " " + err)
                .isZero();

        assertThat(out.toString()).contains("identical: exit code 0, output, and 50 calls");
    }

    @Test
    @Tag("full")
    void failuresAreTheSameToo() throws Exception {
        Path file = directory.resolve("counter.yaml");
        Files.writeString(file, "services: {counter: {interface: " + Counter.class.getName() + "}}");

        assertThat(run(
                        "verify",
                        TESTS,
                        "--config",
                        file.toString(),
                        "--scripted",
                        "3",
                        "--failing",
                        "30",
                        "--main",
                        Sum.class.getName()))
                .as(out + " " + err)
                .isZero();

        assertThat(out.toString()).contains("identical: exit code 1, output, and ");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(run("verify", TESTS, "--scripted", "3", "--main", Sum.class.getName()))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains("no service to script (expected: --config FILE, with interface: at a service)");
    }
}
