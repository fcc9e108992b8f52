package dev.cleave.lab.cli;

import dev.cleave.broker.cli.AgentTool;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Subcommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave pretend}: runs unit tests of libraries as written and as if interfaces of theirs were remote. */
@Command(
        name = "pretend",
        description = "Run unit tests of libraries as written and as if interfaces of theirs were remote, and compare.",
        footer = "Exit code 1 if a test passes in one run alone, or if no call was sent.",
        mixinStandardHelpOptions = true)
public final class PretendCommand implements Subcommand {

    @Parameters(
            paramLabel = "LIBRARY|JAR",
            description = "Libraries known by name, which Maven downloads: collections, math (default: all). "
                    + "Or jars: the library, its tests, what they need.")
    private List<String> libraries = List.of();

    @Option(names = "--tests", paramLabel = "PATTERN", description = "The test classes in the jars, by their names.")
    private String tests = ".*Test";

    @Option(
            names = "--interfaces",
            split = ",",
            paramLabel = "NAME,...",
            description = "Taken as remote, if jars are given.")
    private List<String> interfaces = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        boolean isClean = AgentTool.runLaboratory(
                "dev.cleave.agent.pretend.PretendTool",
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                libraries,
                tests,
                interfaces);
        return isClean ? 0 : Main.FAILED;
    }
}
