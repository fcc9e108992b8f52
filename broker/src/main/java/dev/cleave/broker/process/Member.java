package dev.cleave.broker.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running server of a {@link Fleet}. The lines that it prints go to a file, to a listener and to threads that await
 * them.
 */
public final class Member {

    /**
     * The number of lines that are kept for threads that await one; the oldest are dropped here, and stay in the file.
     */
    static final int MOST_LINES = 10_000;

    private static final String END = "\u0000end";

    private final String name;
    private final Process process;
    private final Path log;
    private final Fleet fleet;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
    private final BufferedWriter input;
    private volatile String lastLine = "";
    private volatile boolean stopped;

    Member(String name, Process process, Path log, Fleet fleet) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.fleet = fleet;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
    }

    void readLines(Consumer<String> listener) {
        Thread reader = new Thread(() -> readToTheEnd(listener), name + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void readToTheEnd(Consumer<String> listener) {
        read(listener);
        try {
            fleet.ended(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Consumer<String> listener) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
                Writer copy = new OutputStreamWriter(Files.newOutputStream(log), StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                copy.write(line + System.lineSeparator());
                copy.flush();
                lastLine = line.isBlank() ? lastLine : line;
                keep(line);
                listener.accept(line);
            }
        } catch (IOException e) {
            // Its output was closed with the process.
        } finally {
            keep(END);
        }
    }

    private void keep(String line) {
        while (!lines.offer(line)) {
            lines.poll();
        }
    }

    /** Its name in messages and file names. */
    public String name() {
        return name;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Says whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The file that holds what it has printed. */
    public Path log() {
        return log;
    }

    /**
     * Waits for the next line that begins with {@code start}.
     *
     * @throws ProcessException if the process ends before, or the time passes
     */
    public String awaitLine(String start, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        while (true) {
            String line = next(end - System.nanoTime());
            if (line == null) {
                throw new ProcessException(
                        name + " did not say \"" + start + "\" within " + most.toSeconds() + " s; see " + log, null);
            }
            if (line.equals(END)) {
                keep(END);
                throw new ProcessException(ending(), null);
            }
            if (line.startsWith(start)) {
                return line;
            }
        }
    }

    private @Nullable String next(long nanos) {
        try {
            return lines.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProcessException("interrupted while waiting for " + name, e);
        }
    }

    /** Waits until it has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
        fleet.waitForNotice();
    }

    /** Waits for its end; false if the time passes first. */
    public boolean awaitEnd(Duration most) throws InterruptedException {
        return process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Asks it to end, which is then no failure; a replica lets the calls under way end before. */
    public void stop() {
        stopped = true;
        process.destroy();
    }

    /** Whether it was asked to end. */
    boolean isStopped() {
        return stopped;
    }

    /** Kills it. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Writes a line to its standard input. */
    public void send(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            throw new ProcessException(ending(), e);
        }
    }

    /** How it ended, in a line: its exit code, and its last line of output. */
    public String ending() {
        try {
            process.waitFor(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        fleet.standStillWhileClosing();
        if (process.isAlive()) {
            return name + " no longer listens; see " + log;
        }
        int exitCode = process.exitValue();
        boolean silent = lastLine.isEmpty() || Endings.wasKilled(exitCode);
        return name + " " + Endings.describe(exitCode) + (silent ? "" : ": " + lastLine);
    }

    Process process() {
        return process;
    }
}
