package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that {@code bin/cleave} has from the agent's jar. */
@Tag("one-jdk")
class AgentCommandsTest {

    private static final String CLASSES = Path.of("target", "classes").toString();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private int run(String... words) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), words);
    }

    @Test
    void explainsTheExamples() {
        assertThat(run("explain", CLASSES)).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("dev.cleave.examples.dna.Search\n", "  scores()\n", "pipelined(64)");
    }

    @Test
    void saysWhereTheCallersOfTheExperimentWaitForResults() {
        String file = Path.of("..", "examples", "later.yaml").toString();
        assertThat(run("explain", CLASSES, "--config", file)).isZero();

        assertThat(out.toString())
                .containsPattern("@Later result of Stages.table +later +L5: waits for each element at line")
                .containsPattern("@Later result of Stages.scaled +later +L5: .*: it is passed on as it comes");
    }

    @Test
    void writesTheReportAsAPage() throws Exception {
        Path page = directory.resolve("report.html");

        assertThat(run("explain", CLASSES, "--report", page.toString(), "--config", "dna.yaml"))
                .isZero();

        assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").contains("Compare.<wbr>score");
    }

    @Test
    void weavesTheExamples() {
        Path woven = directory.resolve("woven.jar");

        assertThat(run("weave", CLASSES, woven.toString())).isZero();

        assertThat(woven).isNotEmptyFile();
        assertThat(out.toString()).endsWith("; written to " + woven + "\n");
    }

    @Test
    void failuresOfTheAgentKeepTheirExitCode() {
        assertThat(run("explain", "none")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("cleave: none: no such file (expected: a jar or a folder with classes)\n");
        assertThat(run("weave", CLASSES, CLASSES)).isEqualTo(2);
        assertThat(err.toString()).contains(CLASSES + ": is, holds or lies in " + CLASSES);
        assertThat(run("weave", CLASSES)).isEqualTo(2);
        assertThat(run("explain")).isEqualTo(2);
    }

    @Test
    void verboseReachesTheAgent() {
        assertThat(run("explain", "none", "--verbose")).isEqualTo(1);

        assertThat(err.toString()).contains("\tat dev.cleave.agent.cli.");
    }
}
