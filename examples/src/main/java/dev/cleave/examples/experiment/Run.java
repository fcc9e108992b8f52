package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of a client's run.
 *
 * @param output the file with its standard output
 * @param seconds the times of its loops, as it printed them
 * @param report the file with the agent's report; does not exist if the client ran without the agent
 */
public record Run(Path output, List<Double> seconds, Path report) {

    private static final Pattern TIME = Pattern.compile("\\d+ calls in (\\d+\\.\\d+) s");

    /** Copies its components. */
    public Run {
        requireNonNull(output, "output");
        requireNonNull(report, "report");
        seconds = List.copyOf(seconds);
        if (seconds.isEmpty()) {
            throw new IllegalStateException(output + ": its program printed no time (expected: \"N calls in X s\")");
        }
    }

    static List<Double> times(List<String> lines) {
        return lines.stream()
                .map(TIME::matcher)
                .filter(Matcher::matches)
                .map(time -> Double.valueOf(time.group(1)))
                .toList();
    }

    /** The median of its times. */
    public double time() {
        return Median.of(seconds);
    }

    /** Says whether the other printed the same, byte by byte. */
    public boolean sameOutput(Run other) throws IOException {
        return Files.mismatch(output, other.output) < 0;
    }
}
