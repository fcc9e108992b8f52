package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/cleave compare} and {@code advise} with a search of DNA over processes that record their calls. */
@Tag("one-jdk")
class RecordedRunTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path file(String name, String args) throws IOException {
        return Files.writeString(directory.resolve(name), """
                services:
                  compare:
                    interface: dev.cleave.examples.dna.Compare
                    implementation: dev.cleave.examples.dna.SmithWaterman
                    replicas: [{name: harvey}]
                    workers: 1
                client: {main: dev.cleave.examples.dna.Search, args: [%s]}
                """.formatted(args));
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    @Tag("full")
    void comparedFilesShowWhereTheirTimeWent() throws IOException {
        Path one = file("one.yaml", "\"1\"");
        Path other = file("other.yaml", "\"1\", \"0\"");
        Path json = directory.resolve("figures.json");

        int exitCode = run(
                "compare",
                one.toString(),
                other.toString(),
                "--rounds",
                "1",
                "--without-agent",
                "--json",
                json.toString());

        assertThat(exitCode).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "outputs: the same, byte by byte, in 1 round",
                        "network",
                        "queue",
                        "compute",
                        "a call: A waits ");
        assertThat(Files.readString(json))
                .contains("\"case\": \"a\"", "\"compute\": ")
                .doesNotContain("null");
    }

    @Test
    @Tag("full")
    void advisedRunIsCountedAndSplit() throws IOException {
        int exitCode = run("advise", file("one.yaml", "\"1\"").toString(), "--without-agent", "--no-try");

        assertThat(exitCode).as(err.toString()).isZero();
        assertThat(out.toString()).contains("s from the first call to the end of the last of 158: client ");
    }

    @Test
    @Tag("full")
    void thePredictedBestChangeOfAFarServerIsTheBest() {
        int exitCode = run("advise", "../examples/advice/far.yaml", "--all");

        assertThat(exitCode).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "60 calls in turn, ",
                        "tried work.small: style: async, window: 64: predicted ",
                        " of 2 predictions; the best change was predicted in 1 of 1 files");
    }

    @Test
    void severalFilesAreTriedAllOrNotAtAll() {
        assertThat(run("advise", "one.yaml", "two.yaml")).isEqualTo(2);
        assertThat(err.toString()).contains("several files need --all");
    }
}
