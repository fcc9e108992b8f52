package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.OutputFile;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.jmh.bench.programs.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
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
        description = "Measure calls, loops of calls and programs side by side with other ways to do the same.",
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Subcommand {

    private static final int FEWEST_ROUNDS = 5;
    private static final Duration WORD = Duration.ofSeconds(20);

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description =
                    "loops, calls, start, many, saturated, programs or all; all, which is the first three, unless given")
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

    @Option(
            names = "--programs",
            paramLabel = "NAME",
            split = ",",
            description = "Of the benchmark programs, measure these alone.")
    private List<String> programs = new ArrayList<>();

    @Option(names = "--tls", description = "Measure calls by TCP and by TLS, side by side; with the name calls alone.")
    private boolean tls;

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
            } catch (ProcessException e) { // the others go on
                spec.commandLine().getErr().println("cleave: " + benchmark.name() + ": " + e.getMessage());
                results.add(new Result(benchmark.floor(), List.of(), List.of(), true));
            }
        }
        List<Measurement> measurements = results.stream()
                .flatMap(result -> result.measurements().stream())
                .toList();
        if (name.equals("programs")) {
            ProgramsTable.summary(measurements).forEach(out::println);
            out.flush();
        }
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
        benchmark.table(result.measurements()).forEach(out::println);
        result.notes().forEach(out::println);
        out.println();
        out.flush();
        return result;
    }

    private List<Benchmark> chosen(Choice choice) {
        if (tls && !name.equals("calls")) {
            throw new ParameterException(
                    spec.commandLine(), "--tls with " + name + " (expected: cleave bench calls --tls)");
        }
        CallsBenchmark calls = quick ? CallsBenchmark.quick() : CallsBenchmark.usual();
        List<Benchmark> named =
                switch (name) {
                    case "loops" -> List.of(LoopsBenchmark.usual());
                    case "calls" ->
                        tls
                                ? List.of(quick ? TlsBenchmark.quick() : TlsBenchmark.usual())
                                : List.of(calls, LoopsBenchmark.loop());
                    case "start" -> List.of(new StartBenchmark());
                    case "many" -> List.of(quick ? ManyBenchmark.quick() : ManyBenchmark.usual());
                    case "saturated" -> List.of(SaturatedBenchmark.usual());
                    case "programs" -> {
                        List<Program> wanted = wantedPrograms();
                        yield quick ? ProgramsBenchmark.quick(wanted) : ProgramsBenchmark.usual(wanted);
                    }
                    case "all" -> List.of(LoopsBenchmark.usual(), calls, new StartBenchmark());
                    default ->
                        throw new ParameterException(
                                spec.commandLine(),
                                "unknown benchmark: " + name
                                        + " (expected: loops, calls, start, many, saturated, programs or all)");
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

    private List<Program> wantedPrograms() {
        List<String> known = Stream.of(Program.values()).map(Program::id).toList();
        for (String each : programs) {
            if (!known.contains(each)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "unknown program: " + each + " (expected: " + String.join(", ", known) + ")");
            }
        }
        return Stream.of(Program.values())
                .filter(program -> programs.isEmpty() || programs.contains(program.id()))
                .toList();
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
}
