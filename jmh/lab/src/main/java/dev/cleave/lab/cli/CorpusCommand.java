package dev.cleave.lab.cli;

import dev.cleave.broker.cli.AgentTool;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Subcommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave corpus}: rewrites every class of real jars as if their interfaces were remote, and links them. */
@Command(
        name = "corpus",
        description = "Rewrite every class of some jars as if their interfaces were remote, and link all of them.",
        footer = "Exit code 1 if a class links as written but not as rewritten, or if the rewriting fails.",
        mixinStandardHelpOptions = true)
public final class CorpusCommand implements Subcommand {

    private static final int MOST_JOBS = 999;

    /** The words of the option. */
    private enum Style {
        async,
        pure
    }

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "A folder with jars, or a jar.")
    private List<Path> paths = List.of();

    @Option(names = "--style", paramLabel = "STYLE", description = "How the calls are taken: ${COMPLETION-CANDIDATES}.")
    private Style style = Style.async;

    @Option(
            names = "--interfaces",
            split = ",",
            paramLabel = "PREFIX,...",
            description = "How the names of the remote interfaces begin; else all but the platform's.")
    private List<String> interfaces = List.of();

    @Option(names = "--json", paramLabel = "FILE", description = "Where the records go.")
    private @Nullable Path json;

    @Option(names = "--jdk", paramLabel = "HOME", description = "A JDK that links; else this one and a JDK 25.")
    private List<Path> jdks = List.of();

    @Option(names = "--jobs", paramLabel = "N", description = "How many jars are done side by side; 1 unless given.")
    private int jobs = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (jobs < 1 || jobs > MOST_JOBS) {
            throw new ParameterException(
                    spec.commandLine(), "--jobs: " + jobs + " (expected: a number from 1 to " + MOST_JOBS + ")");
        }
        boolean isClean = AgentTool.runLaboratory(
                "dev.cleave.agent.corpus.CorpusTool",
                spec.commandLine().getOut(),
                paths,
                style.name(),
                interfaces,
                json,
                jdks,
                jobs);
        return isClean ? 0 : Main.FAILED;
    }
}
