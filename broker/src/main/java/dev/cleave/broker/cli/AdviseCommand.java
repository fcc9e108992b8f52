package dev.cleave.broker.cli;

import dev.cleave.broker.advice.Change;
import dev.cleave.broker.advice.Forecast;
import dev.cleave.broker.advice.Predictions;
import dev.cleave.broker.advice.TimeSplit;
import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave advise}: predicts from one recorded run what changes of its file would bring, and tries the best. */
@Command(
        name = "advise",
        description =
                "Predict from a recorded run of an application file what changes of it would bring, and try the best one.",
        footer = {
            "Runs the client twice, the first time to warm the servers up; then once more, twice, with the best change.",
            "--all tries every change that is considered, and says how good the predictions were, over all files.",
            "Changes that are considered: style and window of a method, replicas and balance of a service. Not predicted: routes,"
                    + " transports, caches."
        },
        mixinStandardHelpOptions = true)
final class AdviseCommand implements Subcommand {

    private static final String REPLICAS = "replicas:";

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "The application file; with --all, several.")
    private List<Path> files = List.of();

    @Option(
            names = {"--without-agent", "--no-agent"},
            description = "Record the program as written; changes are tried with the agent.")
    private boolean withoutAgent;

    @Option(names = "--no-try", description = "Predict only.")
    private boolean noTry;

    @Option(names = "--all", description = "Try all changes that are considered, those too that should save nothing.")
    private boolean all;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /**
     * A run that counts.
     *
     * @param run with its output
     * @param trace what it has recorded
     */
    private record Recorded(RecordedApplication.Run run, Trace trace) {}

    @Override
    public Integer call() throws IOException {
        if (files.size() > 1 && !all || all && noTry) {
            throw new ParameterException(
                    spec.commandLine(), "several files need --all, and --all cannot go with --no-try");
        }
        return ScratchFolder.use("advise", folder -> {
            Predictions predictions = new Predictions();
            for (int i = 0; i < files.size(); i++) {
                advise(files.get(i), Files.createDirectory(folder.path().resolve("file-" + i)), predictions);
            }
            if (all) {
                PrintWriter out = spec.commandLine().getOut();
                out.println();
                predictions.lines().forEach(out::println);
                out.flush();
            }
            return 0;
        });
    }

    private void advise(Path file, Path directory, Predictions predictions) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Recorded now = record(file, "as it is", directory.resolve("now"), !withoutAgent);
        double seconds = now.trace().seconds();
        TimeSplit split = TimeSplit.of(now.trace());
        Sentences.say(
                out,
                String.format(
                        Locale.ROOT,
                        "%s: %s s from the first call to the end of the last of %d: client %s, network %s, queue %s, compute %s s;"
                                + " overhead %.0f %%",
                        file,
                        CompareCommand.number(seconds),
                        now.trace().served().size(),
                        CompareCommand.number(split.client()),
                        CompareCommand.number(split.network()),
                        CompareCommand.number(split.queue()),
                        CompareCommand.number(split.compute()),
                        split.overheadPercent()));
        out.println();
        Forecast forecast = new Forecast(
                now.trace(), Bindings.load(file), Runtime.getRuntime().availableProcessors());
        List<Change> changes = all ? forecast.candidates() : forecast.changes();
        if (changes.isEmpty()) {
            out.println("no change of style, window, replicas or balance would save 2 % of it");
            out.flush();
            return;
        }
        table(seconds, changes).lines().forEach(out::println);
        out.println();
        out.flush();
        predictions.begin(file, seconds);
        for (Change change : noTry ? List.<Change>of() : all ? changes : changes.subList(0, 1)) {
            attempt(
                    file,
                    change,
                    now,
                    Files.createDirectory(directory.resolve("try-" + changes.indexOf(change))),
                    predictions);
        }
    }

    /** The changes as a table; {@code seconds} is the time without any of them. */
    static TextTable table(double seconds, List<Change> changes) {
        TextTable table = new TextTable("saves s", "predicted s", "change", "because of");
        for (Change change : changes) {
            table.add(
                    CompareCommand.number(Math.max(0, seconds - change.seconds())),
                    CompareCommand.number(change.seconds()),
                    change.what(),
                    change.why());
        }
        return table;
    }

    private void attempt(Path file, Change change, Recorded before, Path directory, Predictions predictions)
            throws IOException {
        Map<String, String> undo = new HashMap<>();
        try {
            apply(file, change, undo);
            Recorded after = record(file, change.what(), directory.resolve("changed"), true);
            if (!before.run().sameOutput(after.run())) {
                throw new CommandException("the outputs differ: " + before.run().output() + ", "
                        + after.run().output());
            }
            double measured = after.trace().seconds();
            predictions.add(change, measured);
            PrintWriter out = spec.commandLine().getOut();
            Sentences.say(
                    out,
                    String.format(
                            Locale.ROOT,
                            "tried %s: predicted %s s, measured %s s (%+.0f %%); before %s s; the outputs are the same",
                            change.what(),
                            CompareCommand.number(change.seconds()),
                            CompareCommand.number(measured),
                            100 * (measured / change.seconds() - 1),
                            CompareCommand.number(before.trace().seconds())));
            out.flush();
        } finally {
            undo.forEach((name, value) -> {
                if (value.isEmpty()) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }

    /** Sets the keys of a change for the processes that this one starts. */
    private static void apply(Path file, Change change, Map<String, String> undo) {
        Map<String, Integer> scale = new HashMap<>();
        change.settings().forEach((key, value) -> {
            if (key.startsWith(REPLICAS)) {
                String service = key.substring(REPLICAS.length());
                scale.put(service, Integer.valueOf(value));
                keep("cleave.services." + service + ".replicas", undo);
            } else {
                keep("cleave." + key, undo);
                System.setProperty("cleave." + key, value);
            }
        });
        Scale.apply(file, scale);
    }

    private static void keep(String property, Map<String, String> undo) {
        undo.put(property, System.getProperty(property, ""));
    }

    private Recorded record(Path file, String what, Path directory, boolean withAgent) throws IOException {
        List<RecordedApplication.Run> runs = new ArrayList<>();
        RecordedApplication application;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            progress.show("recording " + what + ": starting broker and replicas");
            try (RecordedApplication running = RecordedApplication.start(file, directory)) {
                for (int i = 1; i <= 2; i++) {
                    progress.show("recording " + what + ": run " + i + " of 2");
                    runs.add(running.run(withAgent));
                }
                application = running;
            }
        }
        Trace trace = application.trace(runs.get(1));
        if (trace.isEmpty()) {
            throw new CommandException(
                    file + ": its client made no call (see " + runs.get(1).output() + ")");
        }
        return new Recorded(runs.get(1), trace);
    }
}
