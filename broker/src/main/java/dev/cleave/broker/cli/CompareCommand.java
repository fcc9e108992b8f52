package dev.cleave.broker.cli;

import dev.cleave.broker.advice.TimeSplit;
import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.broker.report.Json;
import dev.cleave.broker.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave compare}: runs the clients of two application files in turn, and says which is faster and where the time went. */
@Command(
        name = "compare",
        description =
                "Run the clients of two application files in turn on this machine, and say where their time went.",
        footer = {
            "Both files' brokers and replicas run all the time; their clients run one after the other, in each round in the other order.",
            "Times are from the first call to the end of the last. Exit code 1 if the outputs differ."
        },
        mixinStandardHelpOptions = true)
final class CompareCommand implements Subcommand {

    @Parameters(index = "0", paramLabel = "A", description = "An application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "The other one.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path second;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds to take medians of (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = {"--without-agent", "--no-agent"},
            description = "Run the clients without the agent.")
    private boolean withoutAgent;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as a JSON array.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** The figures of one file, a time and a split for each round. */
    private record Figures(
            Path file, List<Double> seconds, List<TimeSplit> splits, List<Double> queued, List<Double> ran) {

        static Figures of(Path file, RecordedApplication application, List<RecordedApplication.Run> runs)
                throws IOException {
            Figures figures =
                    new Figures(file, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (RecordedApplication.Run run : runs) {
                Trace trace = application.trace(run);
                if (trace.isEmpty()) {
                    throw new CommandException(file + ": its client made no call (see " + run.output() + ")");
                }
                figures.seconds.add(trace.seconds());
                figures.splits.add(TimeSplit.of(trace));
                figures.queued.add(trace.meanQueued() * 1e3);
                figures.ran.add(trace.meanRunning() * 1e3);
            }
            return figures;
        }

        double time() {
            return median(seconds);
        }

        double part(ToDoubleFunction<TimeSplit> of) {
            return median(splits.stream().map(split -> of.applyAsDouble(split)).toList());
        }
    }

    @Override
    public Integer call() throws IOException {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds: " + rounds + " (expected: at least 1)");
        }
        OutputFile.requireDirectory(json);
        return ScratchFolder.use("compare", files -> compare(files.path()));
    }

    private int compare(Path directory) throws IOException {
        List<RecordedApplication.Run> ofFirst = new ArrayList<>();
        List<RecordedApplication.Run> ofSecond = new ArrayList<>();
        RecordedApplication one;
        RecordedApplication other;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            progress.show("starting the broker and the replicas of both files");
            try (RecordedApplication a = RecordedApplication.start(first, directory.resolve("a"));
                    RecordedApplication b = RecordedApplication.start(second, directory.resolve("b"))) {
                for (int round = 1; round <= rounds; round++) {
                    progress.show("round " + round + " of " + rounds);
                    boolean swapped = round % 2 == 0;
                    if (swapped) {
                        ofSecond.add(b.run(!withoutAgent));
                    }
                    ofFirst.add(a.run(!withoutAgent));
                    if (!swapped) {
                        ofSecond.add(b.run(!withoutAgent));
                    }
                    requireSame(ofFirst.get(round - 1), ofSecond.get(round - 1));
                }
                one = a;
                other = b;
            }
        }
        Figures a = Figures.of(first, one, ofFirst);
        Figures b = Figures.of(second, other, ofSecond);
        print(a, b);
        if (json != null) {
            Files.writeString(json, Json.array(List.of(record("a", a), record("b", b))));
        }
        return 0;
    }

    private void requireSame(RecordedApplication.Run a, RecordedApplication.Run b) throws IOException {
        if (!a.sameOutput(b)) {
            throw new CommandException(
                    "the outputs differ: " + a.output() + " of " + first + ", " + b.output() + " of " + second);
        }
    }

    private void print(Figures a, Figures b) {
        PrintWriter out = spec.commandLine().getOut();
        TextTable table = new TextTable("", "A s", "B s", "B / A", "");
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(b.seconds().get(round) / a.seconds().get(round));
        }
        table.add(
                "time",
                number(a.time()),
                number(b.time()),
                number(median(ratios)),
                "from the first call to the end of the last");
        row(table, "client", a, b, TimeSplit::client, "not blocked");
        row(table, "await", a, b, TimeSplit::await, "blocked; of this:");
        row(table, "  network", a, b, TimeSplit::network, "no call was at a server");
        row(table, "  queue", a, b, TimeSplit::queue, "calls waited at servers, none ran");
        row(table, "  compute", a, b, TimeSplit::compute, "a server ran a call");
        table.add(
                "overhead %",
                number(a.part(TimeSplit::overheadPercent)),
                number(b.part(TimeSplit::overheadPercent)),
                "",
                "network and queue, of the time");
        Sentences.say(out, "A: " + first);
        Sentences.say(out, "B: " + second);
        Sentences.say(out, "outputs: the same, byte by byte, in " + rounds + (rounds == 1 ? " round" : " rounds"));
        out.println();
        table.lines().forEach(out::println);
        out.println();
        Sentences.say(
                out,
                "a call: A waits " + number(median(a.queued())) + " ms at the server and runs "
                        + number(median(a.ran())) + " ms; B " + number(median(b.queued())) + " and "
                        + number(median(b.ran()))
                        + " ms");
        double ratio = median(ratios);
        Sentences.say(
                out,
                Math.abs(ratio - 1) < 0.02
                        ? "neither is faster by 2 % or more"
                        : (ratio < 1 ? "B" : "A") + " is faster, by a factor of "
                                + number(ratio < 1 ? 1 / ratio : ratio));
        out.flush();
    }

    private static void row(
            TextTable table, String name, Figures a, Figures b, ToDoubleFunction<TimeSplit> of, String meaning) {
        double ours = a.part(of);
        double theirs = b.part(of);
        table.add(name, number(ours), number(theirs), ours < 1e-4 ? "-" : number(theirs / ours), meaning);
    }

    private static String record(String name, Figures figures) {
        return Json.record(
                "case", name,
                "file", figures.file(),
                "seconds", figures.time(),
                "client", figures.part(TimeSplit::client),
                "network", figures.part(TimeSplit::network),
                "queue", figures.part(TimeSplit::queue),
                "compute", figures.part(TimeSplit::compute),
                "overhead_percent", figures.part(TimeSplit::overheadPercent),
                "queued_ms", median(figures.queued()),
                "running_ms", median(figures.ran()));
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
    }
}
