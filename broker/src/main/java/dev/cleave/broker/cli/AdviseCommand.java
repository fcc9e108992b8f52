package dev.cleave.broker.cli;

import dev.cleave.broker.advice.Change;
import dev.cleave.broker.advice.Forecast;
import dev.cleave.broker.advice.TimeSplit;
import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave advise}: predicts from one recorded run what changes of its file would bring, and tries the best. */
@Command(
        name = "advise",
        description =
                "Predict from a recorded run of an application file what changes of it would bring, and try the best one.",
        footer = {
            "Runs the client twice, the first time to warm the servers up; then once more, twice, with the best change.",
            "Changes that are considered: style and window of a method, replicas and balance of a service. Not predicted: routes,"
                    + " transports, caches."
        },
        mixinStandardHelpOptions = true)
final class AdviseCommand implements Subcommand {

    private static final String REPLICAS = "replicas:";

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = {"--without-agent", "--no-agent"},
            description = "Record the program as written; changes are tried with the agent.")
    private boolean withoutAgent;

    @Option(names = "--no-try", description = "Predict only.")
    private boolean noTry;

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
        return ScratchFolder.use("advise", files -> advise(files.path()));
    }

    private int advise(Path directory) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Recorded now = record("as it is", directory.resolve("now"), !withoutAgent);
        double seconds = now.trace().seconds();
        TimeSplit split = TimeSplit.of(now.trace());
        out.printf(
                Locale.ROOT,
                "%s: %s s from the first call to the end of the last of %d: client %s, network %s, queue %s, compute %s s%n%n",
                file,
                CompareCommand.number(seconds),
                now.trace().served().size(),
                CompareCommand.number(split.client()),
                CompareCommand.number(split.network()),
                CompareCommand.number(split.queue()),
                CompareCommand.number(split.compute()));
        List<Change> changes = new Forecast(
                        now.trace(), Bindings.load(file), Runtime.getRuntime().availableProcessors())
                .changes();
        if (changes.isEmpty()) {
            out.println("no change of style, window, replicas or balance would save 2 % of it");
            out.flush();
            return 0;
        }
        TextTable table = new TextTable("saves s", "predicted s", "change", "because of");
        for (Change change : changes) {
            table.add(
                    CompareCommand.number(seconds - change.seconds()),
                    CompareCommand.number(change.seconds()),
                    change.what(),
                    change.why());
        }
        table.lines().forEach(out::println);
        out.flush();
        if (!noTry) {
            attempt(changes.get(0), now, directory);
        }
        return 0;
    }

    private void attempt(Change best, Recorded before, Path directory) throws IOException {
        Map<String, String> undo = new HashMap<>();
        try {
            apply(best, undo);
            Recorded after = record(best.what(), directory.resolve("changed"), true);
            if (!before.run().sameOutput(after.run())) {
                throw new CommandException("the outputs differ: " + before.run().output() + ", "
                        + after.run().output());
            }
            double measured = after.trace().seconds();
            PrintWriter out = spec.commandLine().getOut();
            out.println();
            out.printf(
                    Locale.ROOT,
                    "tried %s: predicted %s s, measured %s s (%+.0f %%); before %s s; the outputs are the same%n",
                    best.what(),
                    CompareCommand.number(best.seconds()),
                    CompareCommand.number(measured),
                    100 * (measured / best.seconds() - 1),
                    CompareCommand.number(before.trace().seconds()));
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
    private void apply(Change change, Map<String, String> undo) {
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

    private Recorded record(String what, Path directory, boolean withAgent) throws IOException {
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
