package dev.cleave.broker.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave explain}: says what the agent would do with each remote call, without running the program. */
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

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        AgentTool.call("explain", spec.commandLine().getOut(), paths, report, config);
        return 0;
    }
}
