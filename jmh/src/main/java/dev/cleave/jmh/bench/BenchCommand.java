package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.OutputFile;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.cli.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave bench}: measures contenders side by side. */
@Command(
        name = "bench",
        description = "Measure calls and loops of calls side by side with other ways to do the same.",
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Subcommand {

    private static final int FEWEST_ROUNDS = 5;

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "loops, calls, start or all; all unless given")
    private String name = "all";

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as a JSON array.")
    private @Nullable Path json;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds to take medians of, at least 5.")
    private int rounds = FEWEST_ROUNDS;

    @Option(names = "--pinned", description = "Run all processes on the first core (needs taskset).")
    private boolean pinned;

    @Option(names = "--seed", paramLabel = "N", description = "Gives the order of the turns.")
    private long seed = System.nanoTime();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<Benchmark> chosen = chosen();
        if (rounds < FEWEST_ROUNDS) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds: " + rounds + " (expected: at least " + FEWEST_ROUNDS + ")");
        }
        OutputFile.requireDirectory(json);
        PrintWriter out = spec.commandLine().getOut();
        out.println("seed " + seed + ", " + rounds + " rounds" + (pinned ? ", pinned to one core" : ""));
        out.flush();
        List<Measurement> all = new ArrayList<>();
        Random random = new Random(seed);
        for (Benchmark benchmark : chosen) {
            Placement placement = pinned ? Placement.PINNED : Placement.FREE;
            try (Progress progress = Progress.on(spec.commandLine().getErr())) {
                all.addAll(run(benchmark, placement, new Rounds(rounds, random, progress), out));
            }
        }
        if (json != null) {
            Files.writeString(json, Measurement.json(all));
        }
        return 0;
    }

    /** Runs one benchmark to its end, and prints what it found. */
    static List<Measurement> run(Benchmark benchmark, Placement placement, Rounds rounds, PrintWriter out)
            throws IOException {
        Progress progress = rounds.progress();
        List<Measurement> measurements;
        Stage stage = Stage.open(placement, line -> progress.say("cleave: " + line));
        try (stage) {
            List<Turn> turns = benchmark.prepare(stage, progress);
            measurements = Measurement.of(rounds.take(turns), benchmark.floor());
            progress.show("");
        }
        table(measurements).lines().forEach(out::println);
        benchmark.notes(stage).forEach(out::println);
        out.println();
        out.flush();
        return measurements;
    }

    private List<Benchmark> chosen() {
        List<Benchmark> known = List.of(LoopsBenchmark.usual(), CallsBenchmark.usual(), new StartBenchmark());
        List<Benchmark> chosen = known.stream()
                .filter(b -> name.equals("all") || name.equals(b.name()))
                .toList();
        if (chosen.isEmpty()) {
            String names = known.stream().map(Benchmark::name).collect(Collectors.joining(", "));
            throw new ParameterException(
                    spec.commandLine(), "unknown benchmark: " + name + " (expected: " + names + " or all)");
        }
        return chosen;
    }

    private static TextTable table(List<Measurement> measurements) {
        TextTable table = new TextTable("workload", "contender", "metric", "median", "unit", "spread", "ratio");
        for (Measurement m : measurements) {
            table.add(
                    m.workload(),
                    m.contender(),
                    m.metric().name(),
                    number(m.value()),
                    m.metric().unit(),
                    String.format(Locale.ROOT, "%.0f %%", m.spread()),
                    m.ratioToFloor() == null ? "-" : String.format(Locale.ROOT, "%.3f", m.ratioToFloor()));
        }
        return table;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 1000 ? "%.3f" : "%.0f", value);
    }
}
