package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.OutputFile;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.report.Json;
import dev.cleave.broker.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static final List<Experiment> ALL = List.of(
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

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts.")
    private @Nullable Path html;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds to take medians of, at least 5.")
    private int rounds = FEWEST_ROUNDS;

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
        PrintWriter out = spec.commandLine().getOut();
        List<Measurement> measurements = new ArrayList<>();
        for (Experiment experiment : chosen) {
            measurements.addAll(run(experiment));
            experiment.notes().forEach(out::println);
        }
        out.println();
        table(measurements).lines().forEach(out::println);
        out.flush();
        if (json != null) {
            Files.writeString(
                    json,
                    Json.array(measurements.stream().map(Measurement::json).toList()));
        }
        if (html != null) {
            Files.writeString(html, Page.of(measurements, chosen));
        }
        return 0;
    }

    private List<Experiment> chosen() {
        List<Experiment> chosen = ALL.stream()
                .filter(e -> name.equals("all") || e.name().equals(name))
                .toList();
        if (chosen.isEmpty()) {
            String names = ALL.stream().map(Experiment::name).collect(Collectors.joining(", "));
            throw new ParameterException(
                    spec.commandLine(), "unknown experiment: " + name + " (expected: " + names + " or all)");
        }
        return chosen;
    }

    private List<Measurement> run(Experiment experiment) throws IOException {
        try (Progress progress = Progress.on(spec.commandLine().getErr());
                Stage stage = Stage.open(progress::say)) {
            return experiment.run(rounds, stage, progress);
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
