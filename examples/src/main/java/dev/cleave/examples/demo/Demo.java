package dev.cleave.examples.demo;

import static dev.cleave.examples.demo.Outcome.seconds;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.demo.Outcome.Comparison;
import dev.cleave.examples.dna.Database;
import dev.cleave.examples.dna.LookUp;
import dev.cleave.examples.dna.Search;
import dev.cleave.examples.experiment.Calls;
import dev.cleave.examples.experiment.Client;
import dev.cleave.examples.experiment.Home;
import dev.cleave.examples.experiment.LocalSearches;
import dev.cleave.examples.experiment.Run;
import dev.cleave.examples.experiment.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The steps of the demo, on servers that already run. */
final class Demo {

    private static final int REPLICAS = 2;
    private static final int WARM_QUERIES = 2;
    private static final int LOOK_UP_ROUNDS = 5;

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

        LocalSearches local = warmedUp();
        progress.show("searching without the agent: " + queries * known + " comparisons, one after the other");
        Run sequential = search("search-sequential", Calls.SEQUENTIAL, queries);
        progress.show("half of the same search as local processes, without Cleave");
        int half = queries / 2;
        double one = local.one(0, half);
        double all = local.all(0, half);
        progress.show("searching with the agent");
        Run cleaved = search("search-cleaved", Calls.CLEAVED, queries);
        progress.show("the other half as local processes"); // on both sides: a busy machine is busy for all alike
        all += local.all(half, queries);
        one += local.one(half, queries);
        Comparison search = compare("search", sequential, cleaved);
        floor(one, all, search);

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

    /** Lets each process compute the same pieces before anything is timed. */
    private LocalSearches warmedUp() throws IOException {
        progress.show("starting local processes to compare with, and warming up");
        LocalSearches local = stage.localSearches(REPLICAS);
        search("warm", Calls.SEQUENTIAL, WARM_QUERIES);
        local.all(0, WARM_QUERIES);
        return local;
    }

    private Run search(String name, Calls calls, int count) throws IOException {
        List<String> args = List.of(Integer.toString(count), Integer.toString(WARM_QUERIES));
        return stage.run(new Client(name, calls, file, servers, Search.class, args));
    }

    private Run lookUp(String name, Calls calls, Path matches) throws IOException {
        List<String> args = List.of(matches.toString(), Integer.toString(LOOK_UP_ROUNDS));
        return stage.run(new Client(name, calls, file, servers, LookUp.class, args));
    }

    private static Comparison compare(String name, Run sequential, Run cleaved) throws IOException {
        return new Comparison(name, sequential.time(), cleaved.time(), sequential.sameOutput(cleaved));
    }

    private void floor(double one, double all, Comparison search) {
        out.printf(
                Locale.ROOT,
                "the same search without Cleave: %s in one local process, %s in %d, speed-up %.2f%n",
                seconds(one),
                seconds(all),
                REPLICAS,
                one / all);
        out.println(share(search.speedup(), one / all, busy != null));
        out.println();
        out.flush();
    }

    /**
     * Compares the speed-up of the search with that of local processes without Cleave.
     *
     * @param cleaved the speed-up of the search
     * @param local the speed-up of local processes
     * @param isBusy whether other programs used the processors before
     */
    static String share(double cleaved, double local, boolean isBusy) {
        double share = cleaved / local;
        return String.format(
                Locale.ROOT,
                "cleaved: speed-up %.2f, which is %.2f of that (expected: at least %.2f%s)",
                cleaved,
                share,
                EXPECTED,
                isBusy && share < EXPECTED ? " on a machine that does nothing else" : "");
    }

    private void report(String name, Path report) throws IOException {
        if (Files.exists(report)) {
            out.println("what the agent did to the calls of the " + name + ":");
            Files.readAllLines(report, StandardCharsets.UTF_8).forEach(line -> out.println("  " + line));
            out.println();
        }
    }
}
