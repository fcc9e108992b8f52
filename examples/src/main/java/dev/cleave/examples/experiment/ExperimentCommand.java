package dev.cleave.examples.experiment;

import dev.cleave.CallException;
import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.OutputFile;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.broker.report.Json;
import dev.cleave.broker.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave experiment}: runs the experiments of the papers and shows the papers' figures beside ours. */
@Command(
        name = "experiment",
        description = "Run an experiment of the papers over processes on this machine.",
        mixinStandardHelpOptions = true)
public final class ExperimentCommand implements Subcommand {

    /** All experiments, in their long form. */
    static final List<Experiment> ALL = List.of(
            new MandelbrotExperiment(),
            new DnaExperiment(),
            LaterExperiment.ofThePaper(),
            NbodyExperiment.ofThePaper(),
            ClearanceExperiment.ofThePaper(),
            RttExperiment.ofThePaper(),
            DgemmExperiment.ofThePaper(),
            CgExperiment.ofThePaper(),
            PipelineExperiment.ofAllChains());

    private static final int FEWEST_ROUNDS = 5;

    @Parameters(
            paramLabel = "NAME",
            description = "mandelbrot, dna, later, nbody, clearance, rtt, dgemm, cg, pipeline or all")
    private String name = "";

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as a JSON array.")
    private @Nullable Path json;

    @Option(
            names = "--html",
            paramLabel = "DIR",
            description = "Write pages: an index, and one for each experiment, with the paper's tables beside ours.")
    private @Nullable Path html;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds to take medians of, at least 5.")
    private int rounds = FEWEST_ROUNDS;

    @Option(
            names = "--full",
            description =
                    "With all: every case. Else some experiments run in a short form, which says what it leaves out.")
    private boolean full;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Run nothing: write the pages of a run again, from the figures in its directory.")
    private @Nullable Path from;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<Experiment> chosen = chosen();
        if (rounds < FEWEST_ROUNDS) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds: " + rounds + " (expected: at least " + FEWEST_ROUNDS + ")");
        }
        OutputFile.requireDirectory(json);
        OutputFile.requireDirectory(html);
        if (html != null && Files.exists(html) && !Files.isDirectory(html)) {
            throw new CommandException(html + ": is a file (expected: a directory for the pages)");
        }
        if (from != null) {
            return redraw(chosen, from);
        }
        Instant begin = Instant.now();
        double load = Origin.load();
        PrintWriter out = spec.commandLine().getOut();
        List<Measurement> measurements = new ArrayList<>();
        Bar bar = new Bar(chosen, rounds);
        boolean failed = false;
        for (Experiment experiment : chosen) {
            try {
                measurements.addAll(run(experiment, bar));
            } catch (CommandException | ProcessException | CallException e) {
                if (chosen.size() == 1) {
                    throw e;
                }
                spec.commandLine().getErr().println("cleave: " + experiment.name() + " failed: " + e.getMessage());
                failed = true;
                continue;
            }
            write(measurements, chosen, begin, load); // what has been measured stays if the next fails
            experiment.notes().forEach(out::println);
            if (!experiment.leftOut().isEmpty()) {
                out.println(experiment.name() + ": left out in this short form: " + experiment.leftOut());
            }
        }
        out.println();
        table(measurements).lines().forEach(out::println);
        out.flush();
        return failed ? Main.FAILED : 0;
    }

    private void write(List<Measurement> measurements, List<Experiment> chosen, Instant begin, double load)
            throws IOException {
        if (json != null) {
            Files.writeString(
                    json,
                    Json.array(measurements.stream().map(Measurement::json).toList()));
        }
        if (html != null) {
            Page.write(html, chosen, measurements, Origin.now(command(), rounds, begin, load));
        }
    }

    private String command() {
        var parsed = spec.commandLine().getParseResult();
        return "bin/cleave " + String.join(" ", parsed.originalArgs());
    }

    private int redraw(List<Experiment> chosen, Path directory) throws IOException {
        Path to = html == null ? directory : html;
        Recorded recorded = Recorded.read(directory);
        for (Experiment experiment : chosen) {
            Path picture = directory.resolve(Page.picture(experiment));
            if (Files.isRegularFile(picture) && !to.equals(directory)) {
                Files.createDirectories(to);
                Files.copy(picture, to.resolve(Page.picture(experiment)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Page.write(to, chosen, recorded.measurements(), recorded.origin());
        return 0;
    }

    private List<Experiment> chosen() {
        List<Experiment> chosen = ALL.stream()
                .filter(e -> name.equals("all") || e.name().equals(name))
                .map(e -> name.equals("all") && !full ? e.shortened() : e)
                .toList();
        if (chosen.isEmpty()) {
            String names = ALL.stream().map(Experiment::name).collect(Collectors.joining(", "));
            throw new ParameterException(
                    spec.commandLine(), "unknown experiment: " + name + " (expected: " + names + " or all)");
        }
        return chosen;
    }

    private List<Measurement> run(Experiment experiment, Bar bar) throws IOException {
        bar.begin(experiment);
        try (Progress progress = Progress.on(spec.commandLine().getErr()).behind(bar::text);
                Stage stage = Stage.open(progress::say)) {
            List<Measurement> measurements = experiment.run(rounds, stage, progress);
            Path picture = experiment.picture(stage.directory());
            if (html != null && picture != null) {
                Files.createDirectories(html);
                Files.copy(picture, html.resolve(Page.picture(experiment)), StandardCopyOption.REPLACE_EXISTING);
            }
            return measurements;
        }
    }

    static TextTable table(List<Measurement> measurements) {
        TextTable table = new TextTable("experiment", "case", "metric", "value", "ideal", "unit", "paper");
        for (Measurement m : measurements) {
            table.add(
                    m.experiment(), m.caseName(), m.metric(), number(m.value()), number(m.ideal()), m.unit(), paper(m));
        }
        return table;
    }

    private static String number(@Nullable Double value) {
        if (value == null) {
            return "-";
        }
        boolean isTiny = value != 0 && Math.abs(value) < 5e-4;
        return String.format(Locale.ROOT, isTiny ? "%.1e" : "%.3f", value);
    }

    private static String paper(Measurement measurement) {
        Double paper = measurement.paper();
        if (paper == null) {
            return "-";
        }
        return String.format(Locale.ROOT, paper == Math.rint(paper) ? "%.0f" : "%.2f", paper);
    }
}
