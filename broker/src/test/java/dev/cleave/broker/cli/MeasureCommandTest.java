package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Later;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What servers record of large arguments, and what is made of it. */
class MeasureCommandTest {

    private static final int MANY = 300_000;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    /** Sums arrays. */
    @Remote
    interface Sums {

        long late(Later.Value<int[]> values);

        long plain(int[] values);
    }

    private static final class RealSums implements Sums {

        @Override
        public long late(Later.Value<int[]> values) {
            return plain(values.get());
        }

        @Override
        public long plain(int[] values) {
            return Arrays.stream(values).asLongStream().sum();
        }
    }

    @Test
    @Tag("one-jdk")
    void aRecordingOfAServerTellsWhatLaterArgumentsSave() throws IOException {
        Path file = directory.resolve("server.jfr");
        Path page = directory.resolve("page.html");
        try (Recording recording = new Recording();
                Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            server.bind("sums", new RealSums());
            Sums sums = client.lookup("sums", Sums.class);
            recording.enable("dev.cleave.LargeArgument");
            recording.start();
            int[] ones = new int[MANY];
            Arrays.fill(ones, 1);
            for (int i = 0; i < 3; i++) {
                assertThat(sums.late(Later.Value.of(ones))).isEqualTo(MANY);
                assertThat(sums.plain(ones)).isEqualTo(MANY);
            }
            recording.stop();
            recording.dump(file);
        }

        assertThat(run("measure", file.toString(), "--html", page.toString())).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("sums.late, ", "sums.plain, plain arguments", String.valueOf(4 * MANY))
                .containsPattern("sums.late, \\S+ +3 .* later ")
                .containsPattern("sums.late, \\S+: @Later (pays|does not pay) here")
                .containsPattern("sums.plain, plain arguments: @Later (may|would not) pay here");
        assertThat(Files.readString(page)).contains("<h2>sums.late, ");
    }

    @Test
    void withoutARecordingOrAProcessItIsAMistake() {
        assertThat(run("measure")).isEqualTo(2);

        assertThat(err.toString()).contains("expected: a recording, or --pid N").hasLineCount(1);
    }

    @Test
    void whatIsNoProcessFailsInOneLine() {
        assertThat(run("measure", "--pid", "x1")).isEqualTo(1);

        assertThat(err.toString())
                .contains("--pid x1 (expected: the number of a process)")
                .hasLineCount(1);
    }

    @Test
    void aRunningServerIsAskedByItsProcess() throws InterruptedException {
        String here = String.valueOf(ProcessHandle.current().pid());
        AtomicBoolean measured = new AtomicBoolean();
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            server.bind("sums", new RealSums());
            Sums sums = client.lookup("sums", Sums.class);
            CountDownLatch called = new CountDownLatch(1);
            CompletableFuture<Void> calls = CompletableFuture.runAsync(() -> {
                int[] ones = new int[MANY];
                while (!measured.get()) {
                    sums.late(Later.Value.of(ones));
                    called.countDown();
                }
            });
            assertThat(called.await(1, TimeUnit.MINUTES)).isTrue();

            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            do { // beside other work no call may end within a second
                assertThat(run("measure", "--pid", here, "--seconds", "1")).isZero();
            } while (!out.toString().contains("sums.late, ") && System.nanoTime() - end < 0);

            measured.set(true);
            assertThat(calls).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            measured.set(true);
        }
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).containsPattern("sums.late, \\S+: @Later (pays|does not pay) here");
    }

    @Test
    @Tag("one-jdk")
    void aServerWithoutLargeArgumentsIsSaidToHaveNone() {
        String here = String.valueOf(ProcessHandle.current().pid());

        assertThat(run("measure", "--pid", here, "--seconds", "1")).isZero();

        assertThat(out.toString()).contains("no large arguments");
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
