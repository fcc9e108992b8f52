package dev.cleave.broker.cli;

import dev.cleave.broker.measure.LaterPayoff;
import dev.cleave.broker.measure.LiveServer;
import dev.cleave.broker.measure.RecordedRun;
import dev.cleave.broker.measure.Sample;
import dev.cleave.broker.measure.VerdictPage;
import dev.cleave.broker.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave measure}: finds out from a server's events whether {@code @Later} pays. */
@Command(
        name = "measure",
        description =
                "Say for each large argument whether @Later pays, from a server's flight recording, or from a server"
                        + " that runs.",
        mixinStandardHelpOptions = true)
final class MeasureCommand implements Subcommand {

    @Parameters(arity = "0..1", paramLabel = "RECORDING", description = "A flight recording of a server: FILE.jfr.")
    private @Nullable Path recording;

    @Option(
            names = "--pid",
            paramLabel = "N",
            description = "Watch the server with this process number, on this machine.")
    private @Nullable String pid;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "30",
            description = "How long to watch (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with a chart.")
    private @Nullable Path html;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFile.requireDirectory(html);
        List<LaterPayoff> verdicts = LaterPayoff.of(samples());
        PrintWriter out = spec.commandLine().getOut();
        if (verdicts.isEmpty()) {
            out.println("no large arguments (of more than 64 KiB, or later ones) in it");
        } else {
            table(verdicts).lines().forEach(out::println);
            out.println();
            verdicts.forEach(verdict -> Sentences.say(out, verdict.place() + ": " + verdict.sentence()));
        }
        out.flush();
        if (html != null) {
            Files.writeString(html, VerdictPage.of(verdicts));
        }
        return 0;
    }

    private List<Sample> samples() throws IOException, InterruptedException {
        Path file = recording;
        String process = pid;
        if ((file == null) == (process == null)) {
            throw new ParameterException(spec.commandLine(), "expected: a recording, or --pid N");
        }
        if (file != null) {
            if (!Files.isRegularFile(file)) {
                throw new CommandException(file + ": no such file (expected: a flight recording of a server)");
            }
            return RecordedRun.read(file);
        }
        if (process == null || !process.matches("[0-9]+")) {
            throw new CommandException("--pid " + process + " (expected: the number of a process)");
        }
        if (seconds < 1) {
            throw new CommandException("--seconds " + seconds + " (expected: at least 1)");
        }
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            progress.show("watching process " + process + " for " + seconds + " s");
            return LiveServer.watch(process, Duration.ofSeconds(seconds));
        }
    }

    private static TextTable table(List<LaterPayoff> verdicts) {
        TextTable table = new TextTable(
                "argument", "calls", "bytes", "sent", "d1 ms", "d2 ms", "transfer ms", "with ms", "without ms", "gain");
        for (LaterPayoff verdict : verdicts) {
            table.add(
                    verdict.place(),
                    Integer.toString(verdict.calls()),
                    Long.toString(verdict.bytes()),
                    verdict.later() ? "later" : "plain",
                    verdict.later() ? number(verdict.before()) : TextTable.NONE,
                    verdict.later() ? number(verdict.behind()) : TextTable.NONE,
                    number(verdict.transfer()),
                    verdict.later() ? number(verdict.with()) : "> " + number(verdict.with()),
                    number(verdict.without()),
                    verdict.later() ? number(verdict.gain()) : TextTable.NONE);
        }
        return table;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
