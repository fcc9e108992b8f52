package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class CompletionCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "completion", "bash"))
                .isZero();
        Path script = Files.writeString(directory.resolve("completion"), out.toString());
        assumeThat(Path.of("/bin/bash")).isExecutable();

        assertThat(completed(script, "cleave", "serv")).contains("serve", "services");
        assertThat(completed(script, "cleave", "explain", "--base")).isEqualTo("--baseline");
    }

    @Test
    void otherShellsAreRefused() {
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "completion", "fish"))
                .isEqualTo(2);

        assertThat(err.toString()).startsWith("cleave: fish: no script for it (expected: bash or zsh)");
    }

    private static String completed(Path script, String... words) throws IOException, InterruptedException {
        String command = "compopt() { :; }; source " + script + "; COMP_WORDS=(" + String.join(" ", words)
                + "); COMP_CWORD=" + (words.length - 1) + "; _complete_cleave; echo \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("/bin/bash", "-c", command)
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(said).isZero();
        return said.strip();
    }
}
