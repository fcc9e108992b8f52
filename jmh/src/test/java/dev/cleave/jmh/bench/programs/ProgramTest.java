package dev.cleave.jmh.bench.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("one-jdk")
class ProgramTest {

    private static Broker broker;
    private static Node server;
    private static Node client;
    private static Services services;

    @BeforeAll
    static void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        NodeOptions options = NodeOptions.DEFAULT.withBroker(broker.endpoint());
        server = Node.connect(options.withCapacity(16, 4096));
        Served.services().taking(0).forEach(server::bind);
        client = Node.connect(options);
        services = Services.of(client::lookup);
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
        broker.close();
    }

    @ParameterizedTest
    @EnumSource
    void eachProgramGivesTheSameTextInEachStyle(Program program) {
        String expected = program.expected();

        assertThat(expected).isNotBlank().endsWith("\n");
        assertThat(program.written(services)).as("as written").isEqualTo(expected);
        assertThat(program.staged(services)).as("by hand").isEqualTo(expected);
        try (Threads threads = Threads.ofTheSystem()) {
            assertThat(program.threaded(threads, services)).as("with threads").isEqualTo(expected);
        }
    }

    @Test
    void clientRefusesToMeasureAProgramWhoseTextIsNotTheExpectedOne(@TempDir Path directory) throws IOException {
        Program program = Program.DASHBOARD;
        String[] turn = {program.name(), "1", "0"};
        ProgramClient measured = new ProgramClient(ProgramStyle.PLAIN, services, null, directory);
        Files.writeString(directory.resolve(ProgramClient.file(program)), program.expected());
        assertThat(measured.turn(turn)[0]).isPositive();

        Files.writeString(directory.resolve(ProgramClient.file(program)), "Hello nobody\n");

        assertThatThrownBy(() -> measured.turn(turn))
                .hasMessage("another result in line 1: \"Hello user 23, plan 2\" (expected: \"Hello nobody\")");
    }

    @Test
    void serviceTimeIsThatOfEachCallAndFailuresStayAsTheyAre() {
        Supplier slow = (Supplier) Served.services().taking(20_000).get("supplier");
        long begun = System.nanoTime();

        assertThatThrownBy(() -> slow.quote(7, 1)).isExactlyInstanceOf(BusyException.class);

        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void differenceNamesItsLine() {
        assertThatCode(() -> Difference.check("a\nb\n", "a\nb\n")).doesNotThrowAnyException();
        assertThatThrownBy(() -> Difference.check("a\nx\n", "a\nb\n"))
                .hasMessage("another result in line 2: \"x\" (expected: \"b\")");
        assertThatThrownBy(() -> Difference.check("a", "a\nb"))
                .hasMessage("another result in line 2: no such line (expected: \"b\")");
    }
}
