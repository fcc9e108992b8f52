package dev.cleave.broker.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class FleetTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final Queue<String> deaths = new ConcurrentLinkedQueue<>();
    private Fleet fleet;

    @BeforeEach
    void open() throws IOException {
        fleet = Fleet.open(directory, deaths::add);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void keepsTheOutputOfAProgram() throws IOException {
        Finished finished = fleet.run(echo("one", "say", "hello"));

        assertThat(finished.exitCode()).isZero();
        assertThat(Files.readString(finished.output()).strip()).isEqualTo("hello");
        assertThat(finished.messages()).isEmpty();
    }

    @Test
    void processesThatHaveEndedAreForgottenWhenOthersStart() {
        fleet.run(echo("one", "say", "hello"));
        fleet.run(echo("two", "say", "hello"));
        fleet.run(echo("three", "say", "hello"));

        assertThat(fleet.known()).isEqualTo(1);
    }

    @Test
    void ofAServerThatTalksMuchTheLastLinesAreKept() {
        int said = 3 * Member.MOST_LINES;
        CountDownLatch done = new CountDownLatch(1);
        Member server = fleet.start(echo("server", "chatter", Integer.toString(said)), line -> {
            if (line.equals("done")) {
                done.countDown();
            }
        });
        await().atMost(PATIENCE).until(() -> done.getCount() == 0);

        String first = server.awaitLine("line ", PATIENCE);

        assertThat(Integer.parseInt(first.substring("line ".length()))).isEqualTo(said + 1 - Member.MOST_LINES);
        assertThat(server.log()).content().startsWith("line 0").contains("line " + (said - 1));
    }

    @Test
    void quotesWhatAFailedProgramSaid() {
        Finished finished = fleet.run(echo("one", "fail", "no disk"));

        assertThatThrownBy(finished::messages)
                .isInstanceOf(ProcessException.class)
                .hasMessage("one ended with exit code 3: no disk");
    }

    @Test
    void talksToAServer() {
        Member server = fleet.start(echo("server", "echo"), line -> {});
        server.awaitLine("ready", PATIENCE);

        server.send("42");

        assertThat(server.awaitLine("heard", PATIENCE)).isEqualTo("heard 42");
    }

    @Test
    void quotesWhatAServerSaidThatEndsInsteadOfBeingReady() {
        Member server = fleet.start(echo("server", "fail", "port 7420 is in use"), line -> {});

        assertThatThrownBy(() -> server.awaitLine("ready", PATIENCE))
                .isInstanceOf(ProcessException.class)
                .hasMessage("server ended with exit code 3: port 7420 is in use");
    }

    @Test
    void reportsAKilledServerOnce() {
        Member server = fleet.start(echo("server", "stay"), line -> {});
        server.awaitLine("ready", PATIENCE);

        ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();

        await().atMost(PATIENCE).until(() -> !deaths.isEmpty());
        assertThat(deaths).containsExactly("server was killed (signal 9)");
    }

    @Test
    void closingEndsAllAndReportsNothing() {
        Member first = fleet.start(echo("first", "stay"), line -> {});
        Member second = fleet.start(echo("second", "echo"), line -> {});
        first.awaitLine("ready", PATIENCE);
        second.awaitLine("ready", PATIENCE);

        fleet.close();

        assertThat(first.isAlive()).isFalse();
        assertThat(second.isAlive()).isFalse();
        assertThat(deaths).isEmpty();
        assertThatThrownBy(() -> fleet.start(echo("third", "stay"), line -> {})).isInstanceOf(ProcessException.class);
    }

    @Test
    void serversEndWithAKilledParent() {
        Member parent = fleet.start(echo("parent", "parent", directory.toString()), line -> {});
        long child = Long.parseLong(parent.awaitLine("child ", PATIENCE).substring("child ".length()));

        ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly();

        await().atMost(PATIENCE).until(() -> !isAlive(child));
    }

    @Test
    void serversEndWithAnInterruptedParent() {
        Member parent = fleet.start(echo("parent", "parent", directory.toString()), line -> {});
        long child = Long.parseLong(parent.awaitLine("child ", PATIENCE).substring("child ".length()));

        ProcessHandle.of(parent.pid()).orElseThrow().destroy();

        await().atMost(PATIENCE).until(() -> !isAlive(child) && !parent.isAlive());
    }

    @Test
    void optionsOfAllProcessesStandBeforeThoseOfOne() {
        String name = "cleave.process.options";
        String before = System.getProperty(name, "");
        System.setProperty(name, " -Xss1m  -Dall=1 ");
        try {
            assertThat(echo("one").line()).containsSubsequence("-Xss1m", "-Dall=1", "-XX:TieredStopAtLevel=1", "-cp");
        } finally {
            System.setProperty(name, before);
        }
        assertThat(echo("one").line()).doesNotContain("-Xss1m", "");
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static JvmCommand echo(String name, String... args) {
        return new JvmCommand(name, List.of("-XX:TieredStopAtLevel=1"), Echo.class.getName(), List.of(args));
    }
}
