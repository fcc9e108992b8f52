package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server whose {@code main} returns, as those of RMI do. */
@Tag("one-jdk")
class ServerProcessTest {

    private static final int SERVERS = Boolean.getBoolean("cleave.full") ? 2 : 1;
    private static final int MANY = Boolean.getBoolean("cleave.full") ? 1_000 : 300; // calls with and without a server
    private static final long PAUSE_NANOS = 200_000; // between two calls of a thread: processes start and end meanwhile

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

    /** Binds and returns; ends by a signal. */
    static final class BindsAndStays {

        public static void main(String[] args) {
            Node.connect(args[0]).bind("echo", new RealEcho());
            System.out.println("bound");
        }
    }

    /** Binds what ends its own JVM. */
    static final class BindsAndExits {

        public static void main(String[] args) {
            Node.connect(args[0]).bind("echo", (Echo) text -> {
                System.exit(7);
                return text;
            });
            System.out.println("bound");
        }
    }

    private static Process start(Class<?> main, Broker broker, Path temporary) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        main.getName(),
                        broker.endpoint().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitBound(Process server) throws IOException {
        assertThat(new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))
                        .readLine())
                .isEqualTo("bound");
    }

    /** Over the relay with {@code -Dcleave.full=true}: a short build drains servers behind brokers of its own JVM alone. */
    static Stream<String> routes() {
        return Boolean.getBoolean("cleave.full") ? Stream.of("direct", "relay") : Stream.of("direct");
    }

    /** Calls from four threads while one server after the other gets SIGTERM; an in-process one stays. */
    @ParameterizedTest
    @MethodSource("routes")
    void sigtermUnderLoadLosesNoCallAndLeavesNoFile(String route, @TempDir Path temporary) throws Exception {
        Bindings file = Bindings.parse("services: {echo: {route: " + route + "}}\n", "cleave.yaml");
        try (Broker broker = Broker.start(
                        BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
                Node stays = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            AtomicLong made = new AtomicLong();
            AtomicBoolean over = new AtomicBoolean();
            List<Thread> callers = new ArrayList<>();
            List<Process> servers = new ArrayList<>();
            try {
                for (int i = 0; i < SERVERS; i++) {
                    servers.add(start(BindsAndStays.class, broker, temporary));
                }
                for (Process server : servers) {
                    awaitBound(server);
                }
                stays.bind("echo", new RealEcho());
                Echo echo = client.lookup("echo", Echo.class);
                for (int i = 0; i < 4; i++) {
                    callers.add(new Thread(() -> {
                        while (!over.get()) {
                            try {
                                assertThat(echo.same("it")).isEqualTo("it");
                                made.incrementAndGet();
                                LockSupport.parkNanos(PAUSE_NANOS);
                            } catch (Throwable e) {
                                failures.add(e);
                            }
                        }
                    }));
                }
                callers.forEach(Thread::start);
                for (Process server : servers) {
                    long before = made.get();
                    await().until(() -> made.get() > before + MANY);
                    server.destroy(); // SIGTERM
                    assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(server.exitValue()).as("as after any SIGTERM").isEqualTo(143);
                }
                long before = made.get();
                await().until(() -> made.get() > before + MANY);
            } finally {
                over.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
                servers.forEach(Process::destroyForcibly);
            }
            assertThat(failures).as("of %s calls", made).isEmpty();
            try (Stream<Path> left = Files.list(temporary)) {
                assertThat(left.filter(each -> !each.getFileName().toString().startsWith("hsperfdata")))
                        .isEmpty();
            }
        }
    }

    /** Calls go by the broker while it gets SIGTERM: each ends with its result, or is certainly not executed. */
    @Test
    void sigtermOfTheBrokerUnderLoadLeavesNoCallInDoubt(@TempDir Path temporary) throws Exception {
        Path file = Files.writeString(temporary.resolve("cleave.yaml"), "services: {echo: {route: relay}}\n");
        Process broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "broker",
                        "--config",
                        file.toString(),
                        "--listen",
                        "localhost:0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(broker.getInputStream(), StandardCharsets.UTF_8))) {
            Endpoint at = Endpoint.parse(out.readLine().replaceFirst(".* ready at ", ""));
            try (Node server = Node.connect(NodeOptions.DEFAULT.withBroker(at));
                    Node client = Node.connect(NodeOptions.DEFAULT.withBroker(at))) {
                Semaphore results = new Semaphore(0);
                server.bind("echo", (Echo) text -> {
                    LockSupport.parkNanos(1_000_000); // so that some calls are always under way
                    results.release();
                    return text;
                });
                Echo echo = Cleave.withDeadline(client.lookup("echo", Echo.class), Duration.ofSeconds(10));
                Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
                AtomicBoolean over = new AtomicBoolean();
                List<Thread> callers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    callers.add(new Thread(() -> {
                        while (!over.get()) {
                            try {
                                assertThat(echo.same("it")).isEqualTo("it");
                            } catch (CallException e) {
                                if (!e.notExecuted()) {
                                    failures.add(e);
                                }
                            } catch (Throwable e) {
                                failures.add(e);
                            }
                        }
                    }));
                }
                callers.forEach(Thread::start);
                assertThat(results.tryAcquire(500, 60, TimeUnit.SECONDS)).isTrue();

                broker.destroy(); // SIGTERM

                assertThat(broker.waitFor(30, TimeUnit.SECONDS)).isTrue();
                over.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(failures).isEmpty();
            }
        } finally {
            broker.destroyForcibly();
        }
    }

    @Test
    void aMethodThatEndsItsJvmDoesNotWaitForItself(@TempDir Path temporary) throws Exception {
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            Process server = start(BindsAndExits.class, broker, temporary);
            try {
                awaitBound(server);
                Echo echo = client.lookup("echo", Echo.class);
                long before = System.nanoTime();

                assertThatThrownBy(() -> echo.same("it"))
                        .isInstanceOfSatisfying(CallException.class, e -> assertThat(e.maybeExecuted())
                                .isTrue());

                assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(server.exitValue()).isEqualTo(7);
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Node.LEAVE_AT_EXIT);
            } finally {
                server.destroyForcibly();
            }
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
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
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
