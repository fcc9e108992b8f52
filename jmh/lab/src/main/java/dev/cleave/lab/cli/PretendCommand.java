package dev.cleave.lab.cli;

import dev.cleave.broker.cli.AgentTool;
import dev.cleave.broker.cli.Subcommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    private @Nullable String tests;

    @Option(names = "--interfaces", paramLabel = "NAME,...", description = "Taken as remote, if jars are given.")
    private @Nullable String interfaces;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> words = new ArrayList<>(libraries);
        if (tests != null) {
            words.addAll(List.of("--tests", tests));
        }
        if (interfaces != null) {
            words.addAll(List.of("--interfaces", interfaces));
        }
        return AgentTool.runLaboratory(spec, "dev.cleave.agent.pretend.PretendTool", words);
    }
}
