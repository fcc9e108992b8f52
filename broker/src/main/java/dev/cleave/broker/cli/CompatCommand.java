package dev.cleave.broker.cli;

import dev.cleave.broker.compat.Difference;
import dev.cleave.broker.compat.Program;
import dev.cleave.broker.compat.VersionComparison;
import dev.cleave.broker.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave compat}: says before a deployment what breaks whom. */
@Command(
        name = "compat",
        description = "Say what breaks when two versions of a program call each other; exit code 1 if anything does.",
        mixinStandardHelpOptions = true)
final class CompatCommand implements Subcommand {

    @Parameters(
            index = "0",
            paramLabel = "OLD.jar",
            description = "The version that runs: a jar, or a folder of classes.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path before;

    @Parameters(index = "1", paramLabel = "NEW.jar", description = "The version that is to be deployed.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path after;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the differences as JSON.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        OutputFile.requireDirectory(json);
        List<Difference> all = VersionComparison.of(read(before), read(after));
        PrintWriter out = spec.commandLine().getOut();
        for (Difference.Pair pair : Difference.Pair.values()) {
            List<Difference> own = all.stream().filter(d -> d.pair() == pair).toList();
            long breaks = own.stream().filter(Difference::isBreak).count();
            Sentences.say(
                    out,
                    pair.title() + ": "
                            + (breaks == 0 ? "nothing breaks" : breaks + " break" + (breaks == 1 ? "" : "s")));
            own.stream()
                    .filter(Difference::isBreak)
                    .forEach(d -> Sentences.say(out, "  BREAK " + d.where() + ": " + d.what()));
            own.stream()
                    .filter(d -> !d.isBreak())
                    .forEach(d -> Sentences.say(out, "  note  " + d.where() + ": " + d.what()));
        }
        out.flush();
        if (json != null) {
            Files.writeString(
                    json,
                    Json.array(all.stream()
                            .map(d -> Json.record(
                                    "pair", d.pair().title(),
                                    "kind", d.isBreak() ? "break" : "note",
                                    "where", d.where(),
                                    "what", d.what()))
                            .toList()));
        }
        return all.stream().anyMatch(Difference::isBreak) ? 1 : 0;
    }

    private static Program read(Path place) throws IOException {
        if (!Files.exists(place)) {
            throw new CommandException(place + ": no such file (expected: a jar, or a folder of classes)");
        }
        Program program = Program.read(place);
        if (program.isEmpty()) {
            throw new CommandException(place + ": no classes in it (expected: a jar, or a folder of classes)");
        }
        return program;
    }
}
