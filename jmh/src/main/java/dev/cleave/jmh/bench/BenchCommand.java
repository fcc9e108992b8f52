package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.OutputFile;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.cli.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
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
    private static final Duration WORD = Duration.ofSeconds(20);

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "loops, calls, start, many or all; all, which is the first three, unless given")
    private String name = "all";

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as a JSON array.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts.")
    private @Nullable Path html;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds to take medians of, at least 5.")
    private int rounds = FEWEST_ROUNDS;

    @Option(names = "--quick", description = "Shorter turns of calls: less time, more spread.")
    private boolean quick;

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description = "Measure these and the floor alone; * stands for any part of a name.")
    private List<String> contenders = new ArrayList<>();

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            split = ",",
            description = "Measure these alone; * stands for any part of a name.")
    private List<String> workloads = new ArrayList<>();

    @Option(names = "--pinned", description = "Run all processes on the first core (needs taskset).")
    private boolean pinned;

    @Option(names = "--seed", paramLabel = "N", description = "Gives the order of the turns.")
    private long seed = System.nanoTime();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Choice choice = new Choice(contenders, workloads);
        List<Benchmark> chosen = chosen(choice);
        if (rounds < FEWEST_ROUNDS) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds: " + rounds + " (expected: at least " + FEWEST_ROUNDS + ")");
        }
        OutputFile.requireDirectory(json);
        OutputFile.requireDirectory(html);
        PrintWriter out = spec.commandLine().getOut();
        String how = "seed " + seed + ", " + rounds + " rounds" + (quick ? ", short turns" : "")
                + (pinned ? ", pinned to one core" : "");
        out.println(how);
        out.flush();
        Random random = new Random(seed);
        Placement placement = pinned ? Placement.PINNED : Placement.FREE;
        List<Result> results = new ArrayList<>();
        for (Benchmark benchmark : chosen) {
            try (Progress progress = Progress.on(spec.commandLine().getErr(), WORD)) {
                Rounds all = new Rounds(rounds, random, progress);
                results.add(run(benchmark, choice, placement, all, out));
            }
        }
        List<Measurement> measurements = results.stream()
                .flatMap(result -> result.measurements().stream())
                .toList();
        if (json != null) {
            Files.writeString(json, Measurement.json(measurements));
        }
        if (html != null) {
            Files.writeString(html, BenchPage.of(how, results));
        }
        return results.stream().anyMatch(Result::hasFailures) ? 1 : 0;
    }

    /** Runs one benchmark to its end, and prints what it found. */
    static Result run(Benchmark benchmark, Choice choice, Placement placement, Rounds rounds, PrintWriter out)
            throws IOException {
        Progress progress = rounds.progress();
        List<TurnSeries> series;
        Stage stage = Stage.open(placement, line -> progress.say("cleave: " + line));
        try (stage) {
            series = rounds.take(benchmark.prepare(stage, choice, progress));
            progress.show("");
        }
        Result result = new Result(
                benchmark.floor(),
                Measurement.of(series, benchmark.floor()),
                benchmark.notes(stage),
                series.stream().anyMatch(TurnSeries::hasFailed));
        table(result.measurements()).lines().forEach(out::println);
        result.notes().forEach(out::println);
        out.println();
        out.flush();
        return result;
    }

    private List<Benchmark> chosen(Choice choice) {
        CallsBenchmark calls = quick ? CallsBenchmark.quick() : CallsBenchmark.usual();
        List<Benchmark> named =
                switch (name) {
                    case "loops" -> List.of(LoopsBenchmark.usual());
                    case "calls" -> List.of(calls, LoopsBenchmark.loop());
                    case "start" -> List.of(new StartBenchmark());
                    case "many" -> List.of(quick ? ManyBenchmark.quick() : ManyBenchmark.usual());
                    case "all" -> List.of(LoopsBenchmark.usual(), calls, new StartBenchmark());
                    default ->
                        throw new ParameterException(
                                spec.commandLine(),
                                "unknown benchmark: " + name + " (expected: loops, calls, start, many or all)");
                };
        check("contender", choice.contenders(), named, Benchmark::contenders);
        check("workload", choice.workloads(), named, Benchmark::workloads);
        List<Benchmark> chosen = named.stream().filter(choice::has).toList();
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "none of these contenders has one of these workloads; see docs/performance.md");
        }
        return chosen;
    }

    private void check(
            String kind, List<String> wanted, List<Benchmark> named, Function<Benchmark, List<String>> names) {
        List<String> known =
                named.stream().flatMap(b -> names.apply(b).stream()).distinct().toList();
        for (String pattern : wanted) {
            if (known.stream().noneMatch(each -> Choice.matches(pattern, each))) {
                throw new ParameterException(
                        spec.commandLine(),
                        "unknown " + kind + ": " + pattern + " (expected: " + String.join(", ", known) + ")");
            }
        }
    }

    private static TextTable table(List<Measurement> measurements) {
        TextTable table = new TextTable("workload", "contender", "metric", "median", "unit", "spread", "ratio");
        for (Measurement m : measurements) {
            table.add(
                    m.workload(),
                    m.contender(),
                    m.metric().name(),
                    text(m.value(), m.value() != null && m.value() < 1000 ? "%.3f" : "%.0f", TextTable.NONE),
                    m.metric().unit(),
                    text(m.spread(), "%.0f %%", "-"),
                    text(m.ratioToFloor(), "%.3f", "-"));
        }
        return table;
    }

    private static String text(@Nullable Double number, String format, String none) {
        return number == null ? none : String.format(Locale.ROOT, format, number);
    }
}
