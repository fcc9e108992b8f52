package dev.cleave.broker.cli;

import dev.cleave.broker.simulation.Simulation;
import java.io.PrintWriter;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cleave simulate}: lives of clusters in which much goes wrong, each as its seed says. */
@Command(
        name = "simulate",
        description = "Run simulated clusters in which much goes wrong, and check what was promised.",
        footer =
                "Exit code 1 if a promise was broken: the story of the first such seed is printed, and --seed S replays it.",
        mixinStandardHelpOptions = true)
final class SimulateCommand implements Subcommand {

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How many clusters (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--seed", paramLabel = "S", description = "Of the first one; alone it is replayed with its story.")
    private @Nullable Long seed;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new CommandException("--seeds " + seeds + " (expected: at least 1)");
        }
        Long first = seed;
        if (first == null) {
            return runAll(new Random().nextInt(1_000_000));
        }
        return spec.commandLine().getParseResult().hasMatchedOption("--seeds") ? runAll(first) : replay(first);
    }

    private int replay(long chosen) {
        Simulation.Result result = new Simulation(chosen).replay();
        PrintWriter out = spec.commandLine().getOut();
        result.story().forEach(out::println);
        result.broken().forEach(out::println);
        out.println("seed " + chosen + ", " + result.schedule() + ": "
                + verdict(result.broken().size()));
        out.flush();
        return result.broken().isEmpty() ? 0 : Main.FAILED;
    }

    private int runAll(long first) {
        long inDoubt = 0;
        Long broken = null;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            for (int i = 0; i < seeds && broken == null; i++) {
                progress.show(i + " of " + seeds);
                Simulation.Result result = new Simulation(first + i).run();
                if (!result.broken().isEmpty()) {
                    broken = first + i;
                }
                inDoubt += result.inDoubt();
            }
        }
        if (broken != null) {
            return replay(broken);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(seeds + " clusters from seed " + first + ": " + verdict(0) + "; " + inDoubt + " calls in doubt");
        out.flush();
        return 0;
    }

    private static String verdict(int broken) {
        return broken == 0 ? "every promise was kept" : broken + " promises were broken";
    }
}
