package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedCommandsTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("shop.yaml"), text);
    }

    @Test
    void comparedFilesNameAClient() throws IOException {
        String file = file("application: shop\n").toString();

        assertThat(run("compare", file, file)).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("cleave: " + file + ": no client (expected: client: {main: ...})\n");
    }

    @Test
    void advisedFileNamesReplicas() throws IOException {
        String file = file("application: shop\nclient: {main: shop.Main}\n").toString();

        assertThat(run("advise", file)).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("cleave: " + file + ": no service names a replica (expected: replicas: [{name: ...}])\n");
    }

    @Test
    void roundsAreAtLeastOne() {
        assertThat(run("compare", "a.yaml", "b.yaml", "--rounds", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("cleave: --rounds: 0 (expected: at least 1)");
    }
}
