package dev.cleave.examples.demo;

import static dev.cleave.examples.demo.Outcome.seconds;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.demo.Outcome.Comparison;
import dev.cleave.examples.dna.Database;
import dev.cleave.examples.dna.LookUp;
import dev.cleave.examples.experiment.Calls;
import dev.cleave.examples.experiment.Client;
import dev.cleave.examples.experiment.Home;
import dev.cleave.examples.experiment.LocalSearches;
import dev.cleave.examples.experiment.Median;
import dev.cleave.examples.experiment.RemoteSearch;
import dev.cleave.examples.experiment.Run;
import dev.cleave.examples.experiment.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** The steps of the demo, on servers that already run. */
final class Demo {

    private static final int REPLICAS = 2;
    private static final int WARM_QUERIES = 2;
    private static final int LOOK_UP_ROUNDS = 5;
    private static final int ROUNDS = 4; // of the search

    /** The part of the speed-up of local processes that the search is to have. */
    private static final double EXPECTED = 0.85;

    /** The part of the processors that other programs may use before it disturbs a comparison. */
    private static final double BUSY = 0.35;

    private final Path file;
    private final Stage stage;
    private final Application servers;
    private final int queries;
    private final @Nullable String busy;
    private final PrintWriter out;
    private final Progress progress;

    /**
     * Prepares the demo.
     *
     * @param busy a note about a busy machine, or null
     */
    Demo(Stage stage, Application servers, int queries, @Nullable String busy, PrintWriter out, Progress progress) {
        this.busy = busy;
        this.file = file();
        this.stage = stage;
        this.servers = servers;
        this.queries = queries;
        this.out = out;
        this.progress = progress;
    }

    static Path file() {
        return Home.file("dna.yaml");
    }

    /**
     * Returns a note if other programs use the processors; null if they do not or their use is unknown.
     *
     * @param used the part of all processors that was in use, 0 to 1; negative or NaN if unknown
     */
    static @Nullable String busy(double used, int processors) {
        return used >= BUSY
                ? String.format(
                        Locale.ROOT,
                        "this machine is busy with other work (%.0f %% of its %d processors before the servers started):"
                                + " the times below say little, and a speed-up may be below 1",
                        used * 100,
                        processors)
                : null;
    }

    Outcome run() throws IOException {
        if (busy != null) {
            out.println(busy);
        }
        int known = Database.load().known().size();
        out.printf("%d new sequences, each compared with %d known ones, on %d replicas%n", queries, known, REPLICAS);
        out.println("servers, each a JVM of its own:");
        servers.members().forEach(member -> out.printf("  %-8s pid %d%n", member.name(), member.pid()));
        out.println("  broker at " + servers.broker());
        out.println();

        progress.show("starting clients, and local processes to compare with, and warming up");
        RemoteSearch sequential = stage.search("search-sequential", Calls.SEQUENTIAL, file, servers, WARM_QUERIES);
        RemoteSearch cleaved = stage.search("search-cleaved", Calls.CLEAVED, file, servers, WARM_QUERIES);
        List<Round> rounds = rounds(sequential, cleaved, warmedUp());
        end(sequential);
        end(cleaved);
        boolean isSame = sequential.hasSameOutput(cleaved);
        Comparison search = new Comparison("search", sequential.seconds(), cleaved.seconds(), isSame);
        floor(rounds, search);

        progress.show("looking up the matches without the agent, over a link of 1 ms round trip");
        Run lookUps = lookUp("lookups-sequential", Calls.SEQUENTIAL, sequential.output());
        progress.show("looking up the matches with the agent");
        Run cleavedLookUps = lookUp("lookups-cleaved", Calls.CLEAVED, sequential.output());
        progress.show("");
        Comparison answers = compare("look-ups", lookUps, cleavedLookUps);
        report("search", cleaved.report());
        report("look-ups", cleavedLookUps.report());
        out.println("all output is in " + stage.directory());
        out.println();
        return new Outcome(List.of(search, answers));
    }

    /** Lets each local process compute the same pieces before anything is timed. */
    private LocalSearches warmedUp() {
        LocalSearches local = stage.localSearches(REPLICAS);
        local.all(0, WARM_QUERIES);
        return local;
    }

    /**
     * Searches for parts of the queries in all four ways in turn, there and back: what slows the machine down for a while
     * slows all ways of one round, and not one way alone.
     */
    private List<Round> rounds(RemoteSearch sequential, RemoteSearch cleaved, LocalSearches local) {
        List<Round> rounds = new ArrayList<>();
        int count = Math.min(ROUNDS, queries);
        for (int i = 0; i < count; i++) {
            int from = queries * i / count;
            int to = queries * (i + 1) / count;
            progress.show(
                    "searching without and with the agent, and in local processes: round " + (i + 1) + " of " + count);
            DoubleSupplier[] ways = {
                () -> sequential.search(from, to),
                () -> local.one(from, to),
                () -> local.all(from, to),
                () -> cleaved.search(from, to)
            };
            double[] seconds = new double[ways.length];
            for (int way = 0; way < ways.length; way++) {
                int next = i % 2 == 0 ? way : ways.length - 1 - way;
                seconds[next] = ways[next].getAsDouble();
            }
            rounds.add(new Round(seconds[0], seconds[1], seconds[2], seconds[3]));
        }
        return rounds;
    }

    private static void end(RemoteSearch search) {
        try {
            search.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a client ends", e);
        }
    }

    private Run lookUp(String name, Calls calls, Path matches) throws IOException {
        List<String> args = List.of(matches.toString(), Integer.toString(LOOK_UP_ROUNDS));
        return stage.run(new Client(name, calls, file, servers, LookUp.class, args));
    }

    private static Comparison compare(String name, Run sequential, Run cleaved) throws IOException {
        return new Comparison(name, sequential.time(), cleaved.time(), sequential.sameOutput(cleaved));
    }

    private void floor(List<Round> rounds, Comparison search) {
        double one = rounds.stream().mapToDouble(Round::one).sum();
        double all = rounds.stream().mapToDouble(Round::all).sum();
        out.printf(
                Locale.ROOT,
                "the same search without Cleave: %s in one local process, %s in %d, speed-up %.2f%n",
                seconds(one),
                seconds(all),
                REPLICAS,
                one / all);
        out.println(share(search.speedup(), rounds, busy != null));
        out.println();
        out.flush();
    }

    /**
     * The same part of the search in four ways.
     *
     * @param sequential the seconds without the agent
     * @param one those in one local process
     * @param all those in local processes, as many as there are replicas
     * @param cleaved those with the agent
     */
    record Round(double sequential, double one, double all, double cleaved) {

        /** The part of the speed-up of local processes that the search with the agent has. */
        double share() {
            return sequential / cleaved / (one / all);
        }
    }

    /**
     * Compares the speed-up of the search with that of local processes without Cleave: the median of all rounds. Rounds that
     * contradict each other say that something else has used the machine.
     *
     * @param cleaved the speed-up of the whole search
     * @param isBusy whether other programs used the processors before
     */
    static String share(double cleaved, List<Round> rounds, boolean isBusy) {
        List<Double> shares = rounds.stream().map(Round::share).sorted().toList();
        double least = shares.get(0);
        double most = shares.get(shares.size() - 1);
        double share = Median.of(shares);
        boolean isDisturbed = share < EXPECTED && (isBusy || most >= EXPECTED);
        return String.format(Locale.ROOT, "cleaved: speed-up %.2f, which is %.2f of that (", cleaved, share)
                + (shares.size() > 1
                        ? String.format(
                                Locale.ROOT, "median of %d rounds from %.2f to %.2f; ", shares.size(), least, most)
                        : "")
                + String.format(
                        Locale.ROOT,
                        "expected: at least %.2f%s)",
                        EXPECTED,
                        isDisturbed ? " on a machine that does nothing else" : "");
    }

    private void report(String name, Path report) throws IOException {
        if (Files.exists(report)) {
            out.println("what the agent did to the calls of the " + name + ":");
            Files.readAllLines(report, StandardCharsets.UTF_8).forEach(line -> out.println("  " + line));
            out.println();
        }
    }
}
