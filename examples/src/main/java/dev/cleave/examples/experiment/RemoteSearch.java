package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.process.Member;
import dev.cleave.examples.dna.SearchRounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A client that searches over servers, for some of the queries each time that it is told to. */
public final class RemoteSearch {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Member process;
    private final Path output;
    private final Path report;
    private double seconds;

    private RemoteSearch(Member process, Path output, Path report) {
        this.process = requireNonNull(process, "process");
        this.output = output;
        this.report = report;
    }

    static RemoteSearch start(Member process, Path output, Path report) {
        process.awaitLine("ready", PATIENCE);
        return new RemoteSearch(process, output, report);
    }

    /** The main class and its arguments. */
    static Class<?> mainClass() {
        return SearchRounds.class;
    }

    /** Searches for the queries of a range, and returns the seconds. */
    public double search(int from, int to) {
        long begin = System.nanoTime();
        process.send(from + " " + to);
        process.awaitLine("done", PATIENCE);
        double took = (System.nanoTime() - begin) / 1e9;
        seconds += took;
        return took;
    }

    /** Ends the client. */
    public void end() throws InterruptedException {
        process.stop();
        process.awaitEnd(PATIENCE);
    }

    /** The seconds of all searches. */
    public double seconds() {
        return seconds;
    }

    /** The file with the matches. */
    public Path output() {
        return output;
    }

    /** The file with the agent's report; does not exist while the client runs, or if it ran without the agent. */
    public Path report() {
        return report;
    }

    /** Says whether the other found the same matches, byte by byte. */
    public boolean hasSameOutput(RemoteSearch other) throws IOException {
        return Files.mismatch(output, other.output) < 0;
    }
}
