package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Remote;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.Member;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cleave up}, {@code run}, and what they print. */
@Timeout(180)
@Tag("one-jdk")
class UpCommandTest {

    private static final String REPLICAS = "cleave.services.desk.replicas";

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    /** A service. */
    @Remote
    public interface Desk {

        /** Says the process. */
        long process();
    }

    /** Its implementation. */
    public static final class RealDesk implements Desk {

        @Override
        public long process() {
            return ProcessHandle.current().pid();
        }
    }

    /** The client: writes its arguments and the number of replicas to a file. */
    public static final class Client {

        private Client() {}

        /** Runs it. */
        public static void main(String[] args) throws IOException {
            try (Node node = Node.connect()) {
                long process = node.lookup("desk", Desk.class).process();
                int replicas = node.list().get(0).replicas().size();
                Files.writeString(
                        Path.of(args[0]),
                        args[1] + " " + replicas + " "
                                + (process != ProcessHandle.current().pid()));
            }
        }
    }

    @AfterEach
    void forget() {
        System.clearProperty(REPLICAS);
    }

    private Path file(String replicas, String more) throws IOException {
        return Files.writeString(folder.resolve("cleave.yaml"), """
                broker: cleave://localhost:0
                services:
                  desk:
                    interface: %s
                    implementation: %s
                    replicas: [%s]
                %s
                """.formatted(
                        Desk.class.getName(), RealDesk.class.getName(), replicas, more));
    }

    private int run(String... args) {
        PrintWriter writer = new PrintWriter(out, true);
        return Main.run(writer, writer, args);
    }

    @Test
    @Tag("full")
    @EffectOf({"client", "client.main", "client.args"})
    void theClientRunsWhenAllReplicasAreReady() throws IOException {
        Path said = folder.resolve("said");
        Path file = file("{name: a}", "client: {main: " + Client.class.getName() + ", args: [" + said + ", hello]}");

        assertThat(run("up", file.toString(), "--scale", "desk=2", "--without-agent"))
                .as("%s", out)
                .isZero();

        assertThat(said).hasContent("hello 2 true");
        assertThat(out.toString()).contains("broker at cleave://localhost:", "desk-1", "all are ready after ");
    }

    @Test
    @Tag("full")
    void replicasComeAndGoWithTheFileAndAreRestartedOnRequest() throws Exception {
        Path file = file("{name: a}, {name: b}", "");
        ConcurrentLinkedQueue<String> deaths = new ConcurrentLinkedQueue<>();
        try (Fleet fleet = Fleet.open(folder.resolve("logs"), deaths::add)) {
            Application running = Application.start(
                    new Application.Plan(file, "localhost:0", List.of(), false), fleet, (name, line) -> {});
            Member leaving = running.members().get(2);

            file("{name: a}, {name: c}", "");
            running.follow(Bindings.load(file));

            assertThat(running.members()).extracting(Member::name).containsExactly("broker", "a", "c");
            assertThat(leaving.isAlive()).isFalse();
            long before = running.members().get(1).pid();
            Console console = Console.on(new PrintWriter(out, true));
            UpCommand.obey("restart a", running, console);
            UpCommand.obey("restart b", running, console);
            assertThat(running.members())
                    .filteredOn(member -> member.name().equals("a"))
                    .singleElement()
                    .satisfies(member -> assertThat(member.pid()).isNotEqualTo(before));
            assertThat(out.toString())
                    .contains(
                            "a has been restarted, as process ",
                            "restart b: not understood (expected: restart NAME, of ");
            try (Node node = Node.connect(running.broker())) {
                await().untilAsserted(() -> assertThat(node.list().get(0).replicas())
                        .extracting(replica -> replica.name())
                        .containsExactlyInAnyOrder("a", "c"));
            }
        }
        assertThat(deaths).isEmpty();
    }

    @Test
    void aDryRunPrintsTheCommandsOfEachMachine() throws IOException {
        Path file = file("{name: a, host: 10.0.0.7}, {name: b}", "client: {main: com.example.Main}")
                .toAbsolutePath();
        Files.writeString(file, Files.readString(file).replace("localhost:0", "hub:7420"));

        assertThat(run("up", file.toString(), "--dry-run", "--insecure")).isZero();

        assertThat(out.toString().replace(file.toString(), "FILE").lines())
                .containsExactly(
                        "# on hub",
                        "bin/cleave broker --config FILE --listen hub:7420 --insecure",
                        "# on 10.0.0.7",
                        "bin/cleave serve FILE --replica a --broker cleave://hub:7420 --insecure",
                        "# on any host",
                        "bin/cleave serve FILE --replica b --broker cleave://hub:7420 --insecure",
                        "# on any host",
                        "bin/cleave run FILE --broker cleave://hub:7420");
    }

    @Test
    void aScaleHoldsForTheProcessesThatAreStarted() throws IOException {
        Path file = file("{name: a}, {name: desk-1}", "");

        assertThat(run("up", file.toString(), "--dry-run", "--scale", "desk=3")).isZero();

        assertThat(out.toString())
                .contains(
                        "CLEAVE_SERVICES_DESK_REPLICAS='[{name: \"a\"}, {name: \"desk-1\"}, {name: \"desk-2\"}]' bin/cleave serve ",
                        " --replica desk-2 --broker ");
        System.clearProperty(REPLICAS);
        file("{name: a, options: {part: left}}, {name: b, options: {part: right}}", "");
        assertThat(run("up", file.toString(), "--dry-run", "--scale", "desk=3")).isZero();
        assertThat(out.toString()).contains("{name: \"desk-1\", options: {\"part\": \"right\"}}");
        System.clearProperty(REPLICAS);
        assertThat(run("up", file.toString(), "--dry-run", "--scale", "dsk=3")).isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains("--scale dsk: no such service (did you mean desk?)");
    }

    @Test
    void namesOfProcessesHaveColoursOnATerminal() {
        PrintWriter writer = new PrintWriter(out, true);
        Console console = new Console(writer, false, true);
        console.say("a", "one");
        console.say("b", "two");
        console.say("a", "three");
        new Console(writer, false, false).say("a", "four");

        assertThat(out.toString())
                .isEqualTo(
                        "\u001b[36ma\u001b[0m | one\n\u001b[33mb\u001b[0m | two\n\u001b[36ma\u001b[0m | three\na | four\n");
    }
}
