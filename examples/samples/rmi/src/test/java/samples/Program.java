package samples;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One run of a program in a JVM of its own; its error stream goes to a file. */
final class Program implements AutoCloseable {

    /** How a program runs. */
    enum Way {
        /** On the RMI of the JDK. */
        PLAIN,
        /** With the agent. */
        AGENT,
        /** Without an agent, from a jar that was woven before. */
        WOVEN
    }

    private static final long SECONDS = 120;

    private final Process process;
    private final BufferedReader lines;
    private final Path errors;

    private Program(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the main method of a class with a port. */
    static Program start(Way way, Class<?> main, int port, List<String> options, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        command.add("-Djava.io.tmpdir="
                + System.getProperty("java.io.tmpdir")); // it is killed, and leaves what it has there
        if (way == Way.AGENT) {
            command.add("-javaagent:" + System.getProperty("cleave.agent"));
        }
        command.addAll(options);
        String path = way == Way.WOVEN ? Woven.path() : System.getProperty("cleave.programs");
        command.addAll(List.of("-cp", path, main.getName(), String.valueOf(port)));
        command.addAll(List.of(more));
        Path errors = Files.createTempFile("program", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new Program(process, errors);
    }

    /** Reads lines up to one. */
    List<String> readTo(String last) throws IOException {
        List<String> read = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            read.add(line);
            if (line.equals(last)) {
                return read;
            }
        }
        throw new IOException("ended before '" + last + "': " + read + "\n" + errors());
    }

    /** Reads all lines to the end of the process. */
    List<String> readToEnd() throws IOException, InterruptedException, TimeoutException {
        List<String> read = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            read.add(line);
        }
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("still runs: " + process.info().commandLine());
        }
        return read;
    }

    int exitCode() {
        return process.exitValue();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
