package dev.cleave.broker.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave explain}: prints what the agent would do with each remote call, without running the program. */
@Command(
        name = "explain",
        description = "Say what becomes of each remote call in jars and folders, and why.",
        footer = "Classes that they need beyond these are looked for on CLEAVE_CLASSPATH.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Subcommand {

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "A jar or a folder with classes.")
    private List<String> paths = List.of();

    @Option(names = "--report", paramLabel = "FILE", description = "Where to: .json, .html, or text.")
    private @Nullable String report;

    @Option(names = "--config", paramLabel = "FILE", description = "The application file.")
    private @Nullable String config;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "The verdicts that calls must not fall behind; exit code 1 if one does.")
    private @Nullable String baseline;

    @Option(names = "--write-baseline", description = "Write the baseline instead of comparing with it.")
    private boolean writeBaseline;

    @Option(
            names = "--fail-on",
            paramLabel = "WORD",
            split = ",",
            description =
                    "Exit code 1 if a call is sequential, or refused by a rule: sequential, or rules as the report names them")
    private List<String> failOn = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (writeBaseline && baseline == null) {
            throw new ParameterException(spec.commandLine(), "--write-baseline (expected: --baseline FILE with it)");
        }
        Object broken = AgentTool.call(
                "explain", spec.commandLine().getOut(), paths, report, config, baseline, writeBaseline, failOn);
        List<?> lines = (List<?>) Objects.requireNonNull(broken);
        lines.forEach(line -> Sentences.say(spec.commandLine().getErr(), "cleave: " + line));
        spec.commandLine().getErr().flush();
        return lines.isEmpty() ? 0 : ExitCode.SOFTWARE;
    }
}
