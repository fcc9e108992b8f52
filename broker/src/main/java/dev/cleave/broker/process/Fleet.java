package dev.cleave.broker.process;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The JVMs that one command has started. Closing ends them all: each is asked, and killed if it has not ended after
 * 25 seconds, longer than a node drains at its exit. The same happens when this JVM ends for whatever reason it can
 * notice, Ctrl-C included; and servers end by themselves when this JVM is killed ({@link Leash}).
 */
public final class Fleet implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(25);

    /** A terminal sends Ctrl-C to all processes at once; a process that ends within this time of it did not fail. */
    private static final Duration NOTICE = Duration.ofMillis(400);

    private static final Set<Fleet> OPEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Consumer<String> onDeath;
    private final Deque<Process> running = new ArrayDeque<>(); // guarded by running
    private final Thread hook = new Thread(this::closeFromHook, "fleet-end");
    private volatile boolean closed;
    private volatile boolean ending;

    private Fleet(Path directory, Consumer<String> onDeath) {
        this.directory = directory;
        this.onDeath = onDeath;
    }

    /**
     * Opens a fleet without members.
     *
     * @param directory the directory of the files with their output; made if it does not exist
     * @param onDeath receives a line when a server ends without having been asked to
     */
    public static Fleet open(Path directory, Consumer<String> onDeath) throws IOException {
        Files.createDirectories(directory);
        Fleet fleet = new Fleet(requireNonNull(directory, "directory"), requireNonNull(onDeath, "onDeath"));
        Runtime.getRuntime().addShutdownHook(fleet.hook);
        OPEN.add(fleet);
        return fleet;
    }

    /** The directory of the files with the output of all members. */
    public Path directory() {
        return directory;
    }

    /**
     * Starts a server, which runs until the fleet is closed.
     *
     * @param listener receives each line that the server prints, on a thread of the server's own
     */
    public Member start(JvmCommand command, Consumer<String> listener) {
        List<String> line = command.with(Leash.OPTION).line();
        Process process = launch(command.name(), new ProcessBuilder(line).redirectErrorStream(true));
        Member member = new Member(command.name(), process, directory.resolve(command.name() + ".log"), this);
        member.readLines(listener);
        return member;
    }

    void ended(Member member) throws InterruptedException {
        member.process().waitFor();
        if (!closed) {
            TimeUnit.NANOSECONDS.sleep(NOTICE.toNanos());
        }
        if (!closed && !ending && !member.isStopped()) {
            onDeath.accept(member.ending());
        }
    }

    /**
     * Runs a program to its end, with its output and its errors in files.
     *
     * @return its result
     */
    public Finished run(JvmCommand command) {
        Path output = directory.resolve(command.name() + ".out");
        Path errors = directory.resolve(command.name() + ".err");
        int exitCode = await(launch(
                command.name(),
                new ProcessBuilder(command.line())
                        .redirectInput(ProcessBuilder.Redirect.from(nothing()))
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())));
        return new Finished(command.name(), exitCode, output, errors);
    }

    /** Runs a program to its end, with this JVM's own input, output and errors, and returns its exit code. */
    public int runInForeground(JvmCommand command) {
        return await(launch(command.name(), new ProcessBuilder(command.line()).inheritIO()));
    }

    /** Runs a program to its end, with this JVM's own input, and returns its exit code. The listener receives each line that it prints. */
    public int runInForeground(JvmCommand command, Consumer<String> listener) {
        Process process = launch(
                command.name(),
                new ProcessBuilder(command.line())
                        .redirectInput(ProcessBuilder.Redirect.INHERIT)
                        .redirectErrorStream(true));
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            // Its output was closed with the process.
        }
        return await(process);
    }

    /**
     * Blocks while the fleet is being closed because this JVM ends, so that ends of servers that follow from it are not
     * reported.
     */
    void standStillWhileClosing() {
        if (ending) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until this JVM has noticed its own end, before the end of another process is reported. */
    void waitForNotice() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(NOTICE.toNanos());
        standStillWhileClosing();
    }

    /** The number of known processes, of which the last may have ended. */
    int known() {
        synchronized (running) {
            return running.size();
        }
    }

    private Process launch(String name, ProcessBuilder builder) {
        synchronized (running) {
            if (closed) {
                standStillWhileClosing();
                throw new ProcessException(name + " was not started: the others have already been ended", null);
            }
            try {
                Process process = builder.start();
                running.removeIf(ended -> !ended.isAlive());
                running.push(process);
                return process;
            } catch (IOException e) {
                throw new ProcessException(name + " could not be started: " + e.getMessage(), e);
            }
        }
    }

    private int await(Process process) {
        try {
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                waitForNotice();
            }
            return exitCode;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProcessException("interrupted while waiting for process " + process.pid(), e);
        }
    }

    private static File nothing() {
        return new File("/dev/null");
    }

    /** Ends the members of all fleets whose files are below a folder. */
    static void endAllBelow(Path folder) {
        for (Fleet fleet : OPEN) {
            if (fleet.directory.startsWith(folder)) {
                fleet.end();
            }
        }
    }

    private void closeFromHook() {
        ending = true;
        end();
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown hook is running, and does the same.
        }
    }

    private void end() {
        List<Process> all;
        synchronized (running) {
            closed = true;
            all = List.copyOf(running); // all that end it wait for the processes
        }
        all.forEach(Process::destroy);
        long deadline = System.nanoTime() + GRACE.toNanos();
        for (Process process : all) {
            if (!endsBefore(process, deadline)) {
                process.destroyForcibly();
            }
        }
        all.forEach(process -> endsBefore(process, deadline + GRACE.toNanos()));
        OPEN.remove(this);
    }

    private static boolean endsBefore(Process process, long deadline) {
        try {
            return process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
