package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class RunTest {

    @TempDir
    Path directory;

    @Test
    void findsTheTimesAmongOtherLines() {
        assertThat(Run.times(
                        List.of("cleave: attached", "12 calls in 0.250000 s", "3 calls in 10.5 s", "calls in 1 s")))
                .containsExactly(0.25, 10.5);
    }

    @Test
    void programWithoutTimesCannotBeMeasured() {
        assertThatThrownBy(() -> new Run(Path.of("out"), List.of(), Path.of("report")))
                .hasMessage("out: its program printed no time (expected: \"N calls in X s\")");
    }

    @Test
    void comparesOutputsByteByByte() throws IOException {
        Run first = run("first", "abc");

        assertThat(first.sameOutput(run("same", "abc"))).isTrue();
        assertThat(first.sameOutput(run("longer", "abcd"))).isFalse();
        assertThat(first.sameOutput(run("other", "abd"))).isFalse();
    }

    private Run run(String name, String output) throws IOException {
        return new Run(Files.writeString(directory.resolve(name), output), List.of(1.0), directory.resolve("report"));
    }
}
