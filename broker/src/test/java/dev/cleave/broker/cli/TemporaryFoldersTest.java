package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands, and the processes that they start, leave nothing in the temporary folder. */
@Timeout(180)
@Tag("one-jdk")
@Tag("full")
class TemporaryFoldersTest {

    @TempDir
    private Path folder;

    private Path temporary;
    private Path file;

    @BeforeEach
    void makeFiles() throws IOException {
        temporary = Files.createDirectory(folder.resolve("temporary"));
        file = Files.writeString(folder.resolve("cleave.yaml"), """
                broker: cleave://localhost:0
                services:
                  desk: {interface: %s, implementation: %s, replicas: [{name: a}]}
                """.formatted(
                        UpCommandTest.Desk.class.getName(), UpCommandTest.RealDesk.class.getName()));
    }

    private Process command(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary); // also of what it starts
        return builder.start();
    }

    private static String readUntil(Process process, String text) throws IOException {
        StringBuilder all = new StringBuilder();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return all.toString();
            }
        }
        throw new AssertionError("no line with '" + text + "' in:\n" + all);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(each -> !each.equals(temporary)).toList();
        }
    }

    private static void ends(Process process) throws InterruptedException {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void upLeavesNothingWhenItIsTerminated() throws Exception {
        Process up = command("up", file.toString(), "--without-agent");
        String said = readUntil(up, "all are ready");
        assertThat(left()).as(said).isNotEmpty();

        up.destroy();
        ends(up);

        assertThat(left()).as(said).isEmpty();
    }

    @Test
    void aClientThatRunsLeavesNothingAndIsEndedWithNothingLeft() throws Exception {
        Process up = command("up", file.toString(), "--without-agent");
        String address = readUntil(up, "broker at ");
        String broker = address.substring(address.lastIndexOf("cleave://")).strip();
        Path said = folder.resolve("said");
        Path client = Files.writeString(
                folder.resolve("client.yaml"),
                Files.readString(file) + "client: {main: " + UpCommandTest.Client.class.getName() + ", args: [" + said
                        + ", hello]}\n");

        Process run = command("run", client.toString(), "--broker", broker, "--without-agent");
        run.getInputStream().readAllBytes();
        ends(run);
        assertThat(run.exitValue()).isZero();
        assertThat(said).exists();

        up.destroy();
        ends(up);
        assertThat(left()).isEmpty();
    }

    @Test
    void whatAKilledUpHasLeftTheNextOneDeletes() throws Exception {
        Process killed = command("up", file.toString(), "--without-agent");
        String unused = readUntil(killed, "all are ready");
        killed.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
        killed.destroyForcibly();
        ends(killed);
        assertThat(left()).isNotEmpty();

        Process next = command("up", file.toString(), "--without-agent");
        String said = readUntil(next, "all are ready");
        next.destroy();
        ends(next);

        assertThat(left()).as(said).isEmpty();
    }

    /** They say what is missing, and have written no file to look into. */
    @Test
    void commandsThatFailAtOnceLeaveNothing() throws Exception {
        for (String command : List.of("compare", "advise")) {
            Process failing = command.equals("compare")
                    ? command(command, file.toString(), file.toString())
                    : command(command, file.toString());
            String said = new String(failing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ends(failing);
            assertThat(failing.exitValue()).as(said).isEqualTo(1);
            assertThat(left()).as(said).isEmpty();
        }
    }
}
