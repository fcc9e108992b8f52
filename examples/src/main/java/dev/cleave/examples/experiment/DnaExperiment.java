package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.dna.Genomes;
import dev.cleave.examples.dna.Search;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The search of the CORD paper's introduction, with and without the agent, beside local processes. */
final class DnaExperiment implements Experiment {

    static final String LINK = "/link-1ms";

    /** The beginning of the name of a case of an order. */
    static final String ORDER = "order/";

    private static final List<String> ORDERS = List.of("as-sent", "longest-first");
    private static final String BEST_ORDER = "local/longest-first";
    private static final int REPLICAS = 2;
    private static final int QUERIES = 8;
    private static final int WARM_QUERIES = 2;
    private static final String ONE = "local/1";
    private static final String ALL = "local/" + REPLICAS;

    private final boolean isShort;

    DnaExperiment() {
        this(false);
    }

    private DnaExperiment(boolean isShort) {
        this.isShort = isShort;
    }

    @Override
    public Experiment shortened() {
        return new DnaExperiment(true);
    }

    @Override
    public String leftOut() {
        return isShort ? "the search over emulated links of 1 ms (bin/cleave experiment dna has it)" : "";
    }

    @Override
    public String title() {
        return "DNA search";
    }

    @Override
    public String question() {
        return "What does a search gain from two replicas, and from its longest jobs first? (CORD, Fig. 1)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "no times printed",
                String.format(
                        Locale.ROOT,
                        "speed-up %.2f (two local processes: %.2f)",
                        figures.value("cleaved", "speedup"),
                        figures.ideal("cleaved", "speedup")));
    }

    @Override
    public String charts(Figures figures) {
        return DnaPage.search(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 20 + rounds * (isShort ? 16 : 22);
    }

    @Override
    public String name() {
        return "dna";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "dna: " + QUERIES + " new sequences, each compared with 158 known ones, on " + REPLICAS
                        + " replicas of one worker each.",
                "ideal: the same pieces of the search in as many local processes, without Cleave, in the same round.",
                "order/...: 62 orchids and then the genome of phage lambda in three pieces, for each new sequence; two calls at a"
                        + " server at a time. ideal: the best division over two servers of the times that each call took at its"
                        + " server.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException {
        progress.show("dna: starting brokers, replicas and local processes");
        Path near = Home.file("dna.yaml");
        Searcher nearby = new Searcher(stage, near, stage.serve(near), "");
        List<Searcher> searchers = new ArrayList<>(List.of(nearby));
        if (!isShort) {
            Path far = Home.file("dna-1ms.yaml");
            searchers.add(new Searcher(stage, far, stage.serve(far), LINK));
        }
        LocalSearches local = stage.localSearches(REPLICAS);
        Path orders = Home.file("dna-longest.yaml");
        Application ordered = stage.serve(orders);
        progress.show("dna: warming up");
        for (Searcher each : searchers) {
            each.search("warm", Calls.SEQUENTIAL, WARM_QUERIES);
        }
        local.all(0, WARM_QUERIES);
        local.one(0, WARM_QUERIES);
        Cases times = new Cases();
        for (int round = 1; round <= rounds; round++) {
            progress.show("dna: round " + round + " of " + rounds);
            times.add(ONE, local.one(0, QUERIES));
            times.add(ALL, local.all(0, QUERIES));
            for (Searcher each : searchers) {
                each.compare(times);
            }
            order(stage, orders, ordered, times);
        }
        return measurements(times);
    }

    private static void order(Stage stage, Path file, Application servers, Cases times) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (String order : ORDERS) {
            Run run = stage.run(new Client(
                    order, Calls.CLEAVED, file, servers, Genomes.class, List.of(order, Integer.toString(QUERIES))));
            times.add(ORDER + order, run.seconds().get(0));
            times.add(BEST_ORDER, run.seconds().get(1));
            runs.add(run);
        }
        if (!runs.get(0).sameOutput(runs.get(1))) {
            throw new CommandException("the outputs differ: " + runs.get(0).output() + ", "
                    + runs.get(1).output());
        }
    }

    private List<Measurement> measurements(Cases times) {
        List<Measurement> measurements = new ArrayList<>();
        for (String suffix : isShort ? List.of("") : List.of("", LINK)) {
            String sequential = "sequential" + suffix;
            String cleaved = "cleaved" + suffix;
            measurements.add(time(sequential, times, times.median(ONE)));
            measurements.add(speedup(sequential, 1, 1.0));
            measurements.add(time(cleaved, times, times.median(ALL)));
            double ideal = suffix.isEmpty() ? times.medianRatio(ONE, ALL) : times.medianRatio(sequential, ALL);
            measurements.add(speedup(cleaved, times.medianRatio(sequential, cleaved), ideal)
                    .spread(times.spreadOfRatio(sequential, cleaved)));
        }
        for (String order : ORDERS) {
            measurements.add(time(ORDER + order, times, times.median(BEST_ORDER)));
        }
        return measurements;
    }

    private static Measurement time(String caseName, Cases times, double ideal) {
        return new Measurement("dna", caseName, "time", times.median(caseName), "s", null, ideal)
                .spread(times.spread(caseName));
    }

    private static Measurement speedup(String caseName, double ratio, double ideal) {
        return new Measurement("dna", caseName, "speedup", ratio, "ratio", null, ideal);
    }

    /**
     * Runs the search against one set of servers.
     *
     * @param suffix the end of the names of its cases
     */
    private record Searcher(Stage stage, Path file, Application servers, String suffix) {

        Run search(String name, Calls calls, int queries) throws IOException {
            String unique = name + suffix.replace('/', '-');
            return stage.run(
                    new Client(unique, calls, file, servers, Search.class, List.of(Integer.toString(queries))));
        }

        void compare(Cases times) throws IOException {
            Run sequential = search("sequential", Calls.SEQUENTIAL, QUERIES);
            Run cleaved = search("cleaved", Calls.CLEAVED, QUERIES);
            if (!sequential.sameOutput(cleaved)) {
                throw new CommandException("the outputs differ: " + sequential.output() + ", " + cleaved.output());
            }
            times.add("sequential" + suffix, sequential.time());
            times.add("cleaved" + suffix, cleaved.time());
        }
    }
}
