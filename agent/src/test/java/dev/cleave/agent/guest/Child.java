package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of the same JDK that has run to its end. */
record Child(int exitCode, List<String> out, List<String> err) {

    private static final int SECONDS = 60;

    /** Runs {@code java} with options and arguments. */
    static Child run(Collection<String> options) throws IOException, InterruptedException {
        Path out = Files.createTempFile("child", ".out");
        Path err = Files.createTempFile("child", ".err");
        List<String> command =
                new ArrayList<>(List.of(java().toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("no end after " + SECONDS + " s: " + String.join(" ", command) + "\n"
                        + Files.readString(out) + Files.readString(err));
            }
            return new Child(process.exitValue(), lines(out), lines(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8).lines().toList();
    }

    /** What a {@code ProgramMain} said of the run, without what the agent may change. */
    List<String> outcome() {
        assertThat(exitCode).as("exit code; %s", this).isZero();
        List<String> said = out.stream()
                .filter(line -> line.matches("(result|calls|open) .*"))
                .toList();
        assertThat(said).as("outcome of %s", this).hasSize(3);
        return said;
    }

    /** The most calls in flight at once. */
    int inFlight() {
        return out.stream()
                .filter(line -> line.startsWith("in flight "))
                .mapToInt(line -> Integer.parseInt(line.substring("in flight ".length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(toString()));
    }

    /** What the agent said on the error stream, its report left out. */
    List<String> agentLines() {
        return err.stream().filter(line -> line.startsWith("cleave agent:")).toList();
    }
}
