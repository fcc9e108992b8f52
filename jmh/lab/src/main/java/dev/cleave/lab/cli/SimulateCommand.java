package dev.cleave.lab.cli;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.lab.cluster.ClusterSimulation;
import dev.cleave.lab.cluster.LargeCluster;
import dev.cleave.lab.cluster.StoreDefect;
import dev.cleave.lab.cluster.StoreKind;
import dev.cleave.lab.history.Planted;
import dev.cleave.lab.simulation.PlantedDefects;
import dev.cleave.lab.simulation.Simulation;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
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
public final class SimulateCommand implements Subcommand {

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How many clusters (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--seed", paramLabel = "S", description = "Of the first one; alone it is replayed with its story.")
    private @Nullable Long seed;

    @Option(
            names = "--planted",
            description = "Put known defects into the clusters, one at a time, and show which promise tells of each;"
                    + " exit code 1 if one is missed in --seeds clusters.")
    private boolean planted;

    @Option(
            names = "--cluster",
            description = "Clusters of several brokers over one store, and their registries, in place of calls.")
    private boolean cluster;

    @Option(
            names = "--large",
            description =
                    "With --cluster: ten brokers, 5,000 replicas and 20,000 clients; all register, all start again, and a"
                            + " broker dies.")
    private boolean large;

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description =
                    "With --cluster: memory or zookeeper, what the simulated store promises (default: first the one, then the"
                            + " other).")
    private @Nullable String store;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new CommandException("--seeds " + seeds + " (expected: at least 1)");
        }
        Long first = seed;
        if (large && !cluster) {
            throw new CommandException("--large (expected: with --cluster)");
        }
        if (cluster) {
            Logger log = Logger.getLogger("dev.cleave.broker.cluster");
            log.setLevel(Level.OFF); // the story says it
            if (large) {
                return runLarge();
            }
            if (planted) {
                return runPlantedClusters(first == null ? 0 : first);
            }
            long begin = first == null ? new Random().nextInt(1_000_000) : first;
            int worst = 0;
            for (StoreKind kind : kinds()) {
                worst = worst == 0 ? runClusters(kind, begin, first) : worst;
            }
            return worst;
        }
        if (store != null) {
            throw new CommandException("--store (expected: with --cluster)");
        }
        if (planted) {
            return runPlanted(first == null ? 0 : first);
        }
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

    private List<StoreKind> kinds() {
        String chosen = store;
        List<StoreKind> kinds = Arrays.stream(StoreKind.values())
                .filter(kind ->
                        chosen == null || kind.name().toLowerCase(Locale.ROOT).equals(chosen))
                .toList();
        if (kinds.isEmpty()) {
            throw new CommandException("--store " + chosen + " (expected: memory or zookeeper)");
        }
        return kinds;
    }

    private int runClusters(StoreKind kind, long first, @Nullable Long chosen) {
        PrintWriter out = spec.commandLine().getOut();
        boolean isOne = chosen != null && !spec.commandLine().getParseResult().hasMatchedOption("--seeds");
        int count = isOne ? 1 : seeds;
        int faults = 0;
        long operations = 0;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            for (int i = 0; i < count; i++) {
                progress.show(i + " of " + count);
                ClusterSimulation.Result result = new ClusterSimulation(first + i, kind, null).run();
                faults += result.story().size();
                operations += result.operations();
                if (isOne || !result.broken().isEmpty()) {
                    result.story().forEach(out::println);
                }
                if (!result.broken().isEmpty()) {
                    result.broken().forEach(out::println);
                    out.flush();
                    return Main.FAILED;
                }
            }
        }
        out.println(count + " clusters of brokers from seed " + first + ", store "
                + kind.name().toLowerCase(Locale.ROOT) + ": " + verdict(0) + "; " + faults + " faults, "
                + operations + " reads and writes of replicas");
        out.flush();
        return 0;
    }

    private int runLarge() {
        LargeCluster.Result result = new LargeCluster(10, 100, 5_000, 20_000).run();
        PrintWriter out = spec.commandLine().getOut();
        result.lines().forEach(out::println);
        out.println(result.kept() ? "every promise was kept" : "a promise was broken, see above");
        out.flush();
        return result.kept() ? 0 : Main.FAILED;
    }

    private int runPlantedClusters(long first) {
        PrintWriter out = spec.commandLine().getOut();
        int missed = 0;
        for (StoreDefect defect : StoreDefect.values()) {
            String where = "MISSED in " + seeds + " clusters";
            for (int i = 0; i < seeds && where.startsWith("MISSED"); i++) {
                ClusterSimulation.Result result = new ClusterSimulation(first + i, defect.kind(), defect).run();
                where = result.broken().isEmpty() ? where : result.broken().get(0);
            }
            missed += where.startsWith("MISSED") ? 1 : 0;
            out.println(String.format(Locale.ROOT, "%-55s %s", defect.what(), where));
            out.flush();
        }
        int all = StoreDefect.values().length;
        out.println(all - missed + " of " + all + " planted defects were seen");
        out.flush();
        return missed == 0 ? 0 : Main.FAILED;
    }

    private int runPlanted(long first) {
        PrintWriter out = spec.commandLine().getOut();
        int missed = 0;
        List<Planted> defects = Arrays.stream(Planted.values())
                .filter(defect -> !defect.isOfNodes())
                .toList();
        for (Planted defect : defects) {
            PlantedDefects.Caught caught = new PlantedDefects(first, seeds).look(defect);
            missed += caught == null ? 1 : 0;
            String where = caught == null
                    ? "MISSED in " + seeds + " clusters"
                    : "seed " + caught.seed() + ", " + caught.schedule() + ": " + caught.broken();
            out.println(String.format(Locale.ROOT, "%-55s %s", defect.what(), where));
            out.flush();
        }
        int all = defects.size();
        out.println(all - missed + " of " + all + " planted defects were seen");
        out.flush();
        return missed == 0 ? 0 : Main.FAILED;
    }

    private static String verdict(int broken) {
        return broken == 0 ? "every promise was kept" : broken + " promises were broken";
    }
}
