package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void helpNamesTheCommands() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString()).contains("broker", "serve", "services", "up", "explain", "weave");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void noCommandIsAMistake() {
        assertThat(run()).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("cleave: no command (expected: one of broker, serve")
                .hasLineCount(1);
    }

    @Test
    void unknownCommandIsAMistake() {
        assertThat(run("brokr")).isEqualTo(2);

        assertThat(err.toString()).contains("brokr").hasLineCount(1);
    }

    @Test
    void unknownOptionIsAMistake() {
        assertThat(run("up", "--colour", "app.yaml")).isEqualTo(2);

        assertThat(err.toString()).isEqualTo("cleave: Unknown option: '--colour'; see cleave up --help\n");
    }

    @Test
    void missingOptionIsAMistake() {
        assertThat(run("serve", "app.yaml")).isEqualTo(2);

        assertThat(err.toString()).contains("--replica").hasLineCount(1);
    }

    @Test
    void missingFileFailsInOneLine() {
        assertThat(run("up", directory.resolve("none.yaml").toString())).isEqualTo(1);

        assertThat(err.toString()).contains("none.yaml: no such file").hasLineCount(1);
    }

    @Test
    void mistakeInTheFileNamesItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("app.yaml"), "services:\n  compare: {replica: []}\n");

        assertThat(run("up", file.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("app.yaml:2: ").contains("replicas").hasLineCount(1);
    }

    @Test
    void fileWithoutReplicasHasNothingToStart() throws IOException {
        Path file = Files.writeString(directory.resolve("app.yaml"), "application: x\n");

        assertThat(run("up", file.toString())).isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("cleave: " + file + ": no service names a replica (expected: replicas: [{name: ...}])\n");
    }

    @Test
    void verboseAddsTheStack() {
        assertThat(run("up", "--verbose", directory.resolve("none.yaml").toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("\tat dev.cleave.");
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
