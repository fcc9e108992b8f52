package dev.cleave.broker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave weave}: rewrites classes as the agent would, before they are run. */
@Command(
        name = "weave",
        description = "Write a jar or folder anew, its remote calls split as the agent would split them.",
        footer = "Classes that it needs beyond its own are looked for on CLEAVE_CLASSPATH.",
        mixinStandardHelpOptions = true)
final class WeaveCommand implements Subcommand {

    @Parameters(index = "0", paramLabel = "IN", description = "A jar or a folder with classes.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path in;

    @Parameters(index = "1", paramLabel = "OUT", description = "The jar (if it ends in .jar) or folder to write.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path out;

    @Option(names = "--config", paramLabel = "FILE", description = "The application file.")
    private @Nullable String config;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        checkApart();
        AgentTool.call("weave", spec.commandLine().getOut(), in.toString(), out.toString(), config);
        return 0;
    }

    private void checkApart() throws IOException {
        Path from = in.toAbsolutePath().normalize();
        Path to = out.toAbsolutePath().normalize();
        boolean isSame = Files.exists(in) && Files.exists(out) && Files.isSameFile(in, out);
        if (isSame || to.startsWith(from) || from.startsWith(to)) {
            throw new ParameterException(
                    spec.commandLine(), out + ": is, holds or lies in " + in + " (expected: a path apart from it)");
        }
    }
}
