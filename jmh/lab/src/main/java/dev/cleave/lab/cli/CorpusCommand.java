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

/** {@code cleave corpus}: rewrites every class of real jars as if their interfaces were remote, and links them. */
@Command(
        name = "corpus",
        description = "Rewrite every class of some jars as if their interfaces were remote, and link all of them.",
        footer = "Exit code 1 if a class links as written but not as rewritten, or if the rewriting fails.",
        mixinStandardHelpOptions = true)
public final class CorpusCommand implements Subcommand {

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "A folder with jars, or a jar.")
    private List<String> paths = List.of();

    @Option(names = "--style", paramLabel = "STYLE", description = "How the calls are taken: async or pure.")
    private String style = "async";

    @Option(
            names = "--interfaces",
            paramLabel = "PREFIX,...",
            description = "How the names of the remote interfaces begin; else all but the platform's.")
    private @Nullable String interfaces;

    @Option(names = "--json", paramLabel = "FILE", description = "Where the records go.")
    private @Nullable String json;

    @Option(names = "--jdk", paramLabel = "HOME", description = "A JDK that links; else this one and a JDK 25.")
    private List<String> jdks = List.of();

    @Option(names = "--jobs", paramLabel = "N", description = "How many jars are done side by side; 1 unless given.")
    private int jobs = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> words = new ArrayList<>(List.of("--style", style));
        if (interfaces != null) {
            words.addAll(List.of("--interfaces", interfaces));
        }
        if (json != null) {
            words.addAll(List.of("--json", json));
        }
        jdks.forEach(jdk -> words.addAll(List.of("--jdk", jdk)));
        words.addAll(List.of("--jobs", String.valueOf(jobs)));
        words.addAll(paths);
        return AgentTool.runLaboratory(spec, "dev.cleave.agent.corpus.CorpusTool", words);
    }
}
