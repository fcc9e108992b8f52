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
import picocli.CommandLine.Spec;

/** {@code cleave fuzz}: runs random programs as written and rewritten, and compares. */
@Command(
        name = "fuzz",
        description = "Run random programs as written and rewritten, and compare what they do.",
        footer = "Exit code 1 if any differs; the first of those is then shrunk and printed.",
        mixinStandardHelpOptions = true)
public final class FuzzCommand implements Subcommand {

    @Option(
            names = "--programs",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many programs (default: ${DEFAULT-VALUE}).")
    private String programs = "";

    @Option(names = "--seed", paramLabel = "S", description = "Of the first program; else another each time.")
    private @Nullable String seed;

    @Option(names = "--jobs", paramLabel = "J", description = "How many threads; else one for each processor.")
    private @Nullable String jobs;

    @Option(names = "--print", description = "Print the programs, do not run them.")
    private boolean print;

    @Option(
            names = "--completeness",
            description = "Compare how long they take with what their data flow allows, instead.")
    private boolean completeness;

    @Option(
            names = "--mutate",
            paramLabel = "RULE,...",
            arity = "0..1",
            fallbackValue = "all",
            description = "Break the rules of the rewriting one by one instead, and see which test notices.")
    private @Nullable String mutate;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> words = new ArrayList<>(List.of("--programs", programs));
        if (seed != null) {
            words.addAll(List.of("--seed", seed));
        }
        if (jobs != null) {
            words.addAll(List.of("--jobs", jobs));
        }
        if (print) {
            words.add("--print");
        }
        if (completeness) {
            words.add("--completeness");
        }
        if (mutate != null) {
            words.addAll(List.of("--mutate", mutate));
        }
        return AgentTool.runLaboratory(spec, "dev.cleave.agent.fuzz.FuzzTool", words);
    }
}
