package dev.cleave.broker.measure;

import dev.cleave.broker.process.ScratchFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks a server on this machine, by the JDK's {@code jcmd}, to record large arguments for a while. */
public final class LiveServer {

    private static final String NAME = "cleave-measure";
    private static final long PATIENCE_SECONDS = 30;

    private LiveServer() {}

    /**
     * Records the samples of a server for a time. Ends the recording also if the thread is interrupted.
     *
     * @param pid the number of its process
     * @throws IOException if it cannot be asked
     */
    public static List<Sample> watch(String pid, Duration time) throws IOException, InterruptedException {
        try (ScratchFolder files = ScratchFolder.open("measure")) {
            Path file = files.path().resolve("recording.jfr");
            ask(pid, "JFR.start", "name=" + NAME, "+" + RecordedRun.EVENT + "#enabled=true");
            try {
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
            } finally {
                ask(pid, "JFR.stop", "name=" + NAME, "filename=" + file);
            }
            return RecordedRun.read(file);
        }
    }

    private static void ask(String pid, String... question) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            throw new IOException(jcmd + " is missing (expected: a JDK; or give a recording of the server)");
        }
        Process asked = new ProcessBuilder(jcmd.toString(), pid, String.join(" ", question))
                .redirectErrorStream(true)
                .start();
        String answer;
        try (var out = asked.getInputStream()) {
            answer = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
        if (!asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || asked.exitValue() != 0) {
            asked.destroyForcibly();
            throw new IOException("process " + pid + ": "
                    + answer.strip().lines().findFirst().orElse("no answer")
                    + " (expected: a JVM of this user on this machine; or give a recording of it)");
        }
    }
}
