package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker whose process stands still for longer than its servers wait for it: when it goes on it finds their connections closed, and a
 * client there to whom it may tell that.
 */
@Tag("one-jdk")
@EnabledOnOs({OS.LINUX, OS.MAC})
class FrozenBrokerTest {

    private static final String FILE = "pings: {every: 100ms, suspect: 400ms, down: 1s}\n";
    private static final String PATIENT = "pings: {every: 100ms, suspect: 10s, down: 30s}\n";
    private static final Duration FROZEN = Duration.ofMillis(1_500); // longer than its servers wait
    private static final Duration AFTERWARDS = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    /** What is served. */
    @Remote
    public interface Counter {

        int next(int before);
    }

    private static final class RealCounter implements Counter {

        @Override
        public int next(int before) {
            return before + 1;
        }
    }

    /** Calls one after the other until it is told to stop, and remembers what failed. */
    private static final class Caller extends Thread {

        private final Counter counter;
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicInteger calls = new AtomicInteger();

        Caller(Counter counter) {
            super("caller");
            setDaemon(true);
            this.counter = counter;
        }

        @Override
        public void run() {
            while (!stopped.get()) {
                int before = calls.get();
                try {
                    if (counter.next(before) != before + 1) {
                        throw new AssertionError("another answer");
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
                calls.incrementAndGet();
            }
        }

        void callFor(Duration time) {
            int before = calls.get();
            long end = System.nanoTime() + time.toNanos();
            await().atMost(PATIENCE).until(() -> System.nanoTime() > end && calls.get() > before + 100);
        }
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", name, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private static Node node(Endpoint broker, String name, String file) {
        return Node.connect(NodeOptions.DEFAULT
                .withBroker(broker)
                .withName(name)
                .withBindings(Bindings.parse(file, "cleave.yaml")));
    }

    @Test
    void noDirectCallFailsWhileItStandsStillAndWhenItGoesOn() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("cleave.yaml"), FILE);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "broker",
                        "--listen",
                        "localhost:0",
                        "--config",
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            Endpoint broker = Endpoint.parse(out.readLine().replaceFirst("broker ready at ", ""));
            try (Node one = node(broker, "one", FILE);
                    Node two = node(broker, "two", FILE);
                    Node client = node(broker, "client", PATIENT)) {
                one.bind("counter", new RealCounter());
                two.bind("counter", new RealCounter());
                Caller caller = new Caller(client.lookup("counter", Counter.class));
                caller.start();
                caller.callFor(Duration.ZERO);

                signal("-STOP", process);
                caller.callFor(FROZEN);
                signal("-CONT", process);
                caller.callFor(AFTERWARDS);
                try (Node other = node(broker, "other", PATIENT)) { // everybody has come back
                    Counter counter = other.lookup("counter", Counter.class);
                    assertThat(counter.next(1)).isEqualTo(2);
                }
                caller.callFor(AFTERWARDS);

                caller.stopped.set(true);
                caller.join(PATIENCE.toMillis());
                assertThat(caller.failures).isEmpty();
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
