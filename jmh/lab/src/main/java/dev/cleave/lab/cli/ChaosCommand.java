package dev.cleave.lab.cli;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.lab.chaos.ChaosRun;
import dev.cleave.lab.chaos.ClusterRun;
import dev.cleave.lab.chaos.ConnectionRun;
import dev.cleave.lab.chaos.PlantedChaos;
import dev.cleave.lab.history.Planted;
import dev.cleave.lab.simulation.PlantedDefects;
import dev.cleave.lab.strangers.StrangersRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** {@code cleave chaos}: breaks processes while others call them, and checks what was promised. */
@Command(
        name = "chaos",
        description = "Kill, freeze and restart a broker and replicas while others call, and check what was promised.",
        footer =
                "Exit code 1 if a promise was broken. \"slow\": kept, but a call took longer than it should, by more than this "
                        + "machine itself stood still (\"paused\").",
        mixinStandardHelpOptions = true)
public final class ChaosCommand implements Subcommand {

    private static final int MOST_RELAYED = 1536; // MiB; one array
    private static final int MOST_CONNECTIONS = 5_000;
    private static final String PLANTED_LINE = "%-55s %-11s %6s %9s  %s";
    private static final Logger LOG = Logger.getLogger("dev.cleave");
    private static final int ROUNDS = 5;
    private static final int RUNS = 5;
    private static final int CLUSTERS = 400;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "5",
            description = "How long faults go on, one every 10 s (default: ${DEFAULT-VALUE}); 0: the loops alone.")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "Of the order of the faults; else another each time.")
    private @Nullable Long seed;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "500",
            description = "Calls per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--relay",
            paramLabel = "MIB",
            defaultValue = "1024",
            description =
                    "Relay an argument of this size through a broker with 256 MiB (default: ${DEFAULT-VALUE}); 0: none.")
    private int relay;

    @Option(
            names = "--planted",
            description =
                    "Instead, put known defects into nodes and clusters, one at a time, and show what tells of each;"
                            + " exit code 1 if one is missed.")
    private boolean planted;

    @Option(
            names = "--strangers",
            description =
                    "Instead, attack a broker and a server with keys as those without rights would; exit code 1 if a"
                            + " right is gained.")
    private boolean strangers;

    @Option(
            names = "--cluster",
            description =
                    "Instead, break and cut from each other three brokers, three nodes of ZooKeeper and five servers, as root"
                            + " each at a host of its own (network namespaces); --minutes 10 runs every fault once.")
    private boolean cluster;

    @Option(
            names = "--fault",
            paramLabel = "ID",
            split = ",",
            description = "With --cluster: these faults alone, such as C-01,C-07.")
    private List<String> faults = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "With --cluster: instead, connect N servers for each of three brokers, start all of them again, and kill a"
                            + " broker; measure how long it takes until all brokers agree.")
    private @Nullable Integer connections;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the rows there as well.")
    private @Nullable Path json;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the processes write what they print and execute; else a temporary folder.")
    private @Nullable Path out;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 0 || rate < 1 || rate > 100_000 || relay < 0 || relay > MOST_RELAYED) {
            throw new CommandException("--minutes " + minutes + ", --rate " + rate + ", --relay " + relay
                    + " (expected: not negative, and a number from 1 to 100000, and one from 0 to " + MOST_RELAYED
                    + ")");
        }
        for (String id : faults) {
            if (!cluster || !ClusterRun.faults().contains(id)) {
                throw new CommandException("--fault " + id + " (expected: with --cluster, one of "
                        + String.join(", ", ClusterRun.faults()) + ")");
            }
        }
        if (connections != null && (!cluster || connections < 1 || connections > MOST_CONNECTIONS)) {
            throw new CommandException(
                    "--connections " + connections + " (expected: with --cluster, 1 to " + MOST_CONNECTIONS + ")");
        }
        LOG.setLevel(Level.SEVERE); // each cut link and each attempt of a stranger is logged as a warning, as it should
        if (planted) {
            return runPlanted(seed == null ? 0 : seed);
        }
        long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
        if (strangers) {
            return runStrangers(chosen);
        }
        if (out != null) {
            return run(chosen, Files.createTempDirectory(Files.createDirectories(out), "run"));
        }
        try (ScratchFolder files = ScratchFolder.open("chaos")) {
            int exitCode = Main.FAILED;
            try {
                exitCode = run(chosen, files.path());
                return exitCode;
            } finally {
                if (exitCode != 0) {
                    files.keep(); // to look into
                }
            }
        }
    }

    private int run(long chosen, Path directory) throws IOException, InterruptedException {
        if (connections != null) {
            return runConnections(connections, directory);
        }
        ChaosRun.Result result;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            result = cluster
                    ? new ClusterRun(chosen, minutes, rate, faults, directory).run(progress::show)
                    : new ChaosRun(chosen, minutes, rate, relay, directory).run(progress::show);
        }
        PrintWriter lines = spec.commandLine().getOut();
        result.lines().forEach(lines::println);
        lines.flush();
        if (json != null) {
            Files.writeString(json, result.json());
        }
        return result.kept() ? 0 : Main.FAILED;
    }

    private int runConnections(int count, Path directory) throws IOException, InterruptedException {
        ConnectionRun.Result result;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            result = new ConnectionRun(count, directory, progress::show).run();
        }
        PrintWriter to = spec.commandLine().getOut();
        result.lines().forEach(to::println);
        to.flush();
        return result.kept() ? 0 : Main.FAILED;
    }

    private int runStrangers(long chosen) throws IOException {
        try (ScratchFolder keys = ScratchFolder.open("strangers")) {
            return runStrangers(chosen, keys.path());
        }
    }

    private int runStrangers(long chosen, Path keys) throws IOException {
        StrangersRun run = new StrangersRun(chosen, ROUNDS, keys);
        boolean kept;
        try (Progress progress = Progress.on(spec.commandLine().getErr())) {
            kept = run.run(progress::show);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // of cryptography, or interrupted
            throw new CommandException("the attacks could not be run: " + e.getMessage(), e);
        }
        PrintWriter lines = spec.commandLine().getOut();
        run.lines().forEach(lines::println);
        lines.flush();
        return kept ? 0 : Main.FAILED;
    }

    private int runPlanted(long first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(Locale.ROOT, PLANTED_LINE, "defect", "caught by", "seed", "time", "broken promise"));
        int missed = 0;
        for (Planted defect : Planted.values()) {
            long began = System.nanoTime();
            String by = "links";
            PlantedChaos.Caught inNodes =
                    PlantedChaos.plants().contains(defect) ? new PlantedChaos(first, RUNS).look(defect) : null;
            String where = inNodes == null ? "-" : Long.toString(inNodes.seed());
            Object broken = inNodes == null ? "" : inNodes.broken();
            PlantedDefects.Caught inClusters =
                    inNodes != null || defect.isOfNodes() ? null : new PlantedDefects(first, CLUSTERS).look(defect);
            if (inClusters != null) {
                by = "simulation";
                where = Long.toString(inClusters.seed());
                broken = inClusters.broken();
            }
            if (inNodes == null && inClusters == null) {
                missed++;
                by = "MISSED";
            }
            String took = (System.nanoTime() - began) / 1_000_000 + " ms";
            out.println(String.format(Locale.ROOT, PLANTED_LINE, defect.what(), by, where, took, broken));
            out.flush();
        }
        int all = Planted.values().length;
        out.println(all - missed + " of " + all + " planted defects were caught");
        out.flush();
        return missed == 0 ? 0 : Main.FAILED;
    }
}
