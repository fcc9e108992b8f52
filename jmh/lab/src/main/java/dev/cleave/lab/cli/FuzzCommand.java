package dev.cleave.lab.cli;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.broker.cli.AgentTool;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cleave fuzz}: runs random programs as written and rewritten, and compares. */
@Command(
        name = "fuzz",
        description = "Run random programs as written and rewritten, and compare what they do.",
        footer = "Exit code 1 if any differs; the first of those is then shrunk and printed.",
        mixinStandardHelpOptions = true)
public final class FuzzCommand implements Subcommand {

    private static final int MOST_PROGRAMS = 100_000_000;
    private static final int MOST_JOBS = 256;

    @Option(
            names = "--programs",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many programs (default: ${DEFAULT-VALUE}).")
    private int programs;

    @Option(names = "--seed", paramLabel = "S", description = "Of the first program; else another each time.")
    private @Nullable Long seed;

    @Option(names = "--jobs", paramLabel = "J", description = "How many threads; else one for each processor.")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--print", description = "Print the programs, do not run them.")
    private boolean print;

    @Option(
            names = "--completeness",
            description = "Compare how long they take with what their data flow allows, instead.")
    private boolean completeness;

    @Option(names = "--nodes", description = "Put their services on two nodes instead; on one thread.")
    private boolean nodes;

    @Option(
            names = "--mutate",
            paramLabel = "RULE,...",
            split = ",",
            arity = "0..1",
            fallbackValue = "all",
            description = "Break the rules of the rewriting one by one instead, and see which test notices.")
    private List<String> mutated = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        check("--programs", programs, MOST_PROGRAMS);
        check("--jobs", jobs, MOST_JOBS);
        long first = seed == null ? System.nanoTime() & 0xffffff : seed;
        if (nodes) {
            return overNodes(first);
        }
        boolean isClean = AgentTool.runLaboratory(
                "dev.cleave.agent.fuzz.FuzzTool",
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                programs,
                first,
                jobs,
                print,
                completeness,
                mutated);
        return isClean ? 0 : Main.FAILED;
    }

    private int overNodes(long first) throws IOException {
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)))) {
            boolean isClean = AgentTool.runLaboratory(
                    "dev.cleave.agent.fuzz.FuzzTool",
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr(),
                    programs,
                    first,
                    broker.endpoint().toString());
            return isClean ? 0 : Main.FAILED;
        }
    }

    private void check(String option, int number, int most) {
        if (number < 1 || number > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + number + " (expected: a number from 1 to " + most + ")");
        }
    }
}
