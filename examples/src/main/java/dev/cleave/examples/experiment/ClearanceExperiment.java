package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.clearance.Analysis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Distributed Clearance paper's Table 1: distances between parts, by work servers that ask for jobs. */
final class ClearanceExperiment implements Experiment {

    private static final double MOST_ERROR = 1e-9;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Case LOCAL = new Case("local", 1, 1.0, 0.0);

    /** The paper's figures for shared data belong to demand, which re-reads parts, those for local data to affinity. */
    private static final List<Case> ALL = List.of(
            LOCAL,
            new Case("demand", 1, 1.0, 6.49),
            new Case("demand", 2, 1.20, 6.91),
            new Case("demand", 3, 1.54, 8.77),
            new Case("demand", 4, 1.50, 8.90),
            new Case("demand", 5, 1.49, 12.34),
            new Case("affinity", 1, 1.0, 0.01),
            new Case("affinity", 2, null, null),
            new Case("affinity", 3, null, null),
            new Case("affinity", 4, null, null),
            new Case("affinity", 5, 5.31, 9.95),
            new Case("groups", 5, null, null));

    private static final Set<String> LONG_FORM = Set.of("affinity/2", "affinity/3", "affinity/4", "groups/5");

    /** The rounds of the short form. */
    private static final int FEW_ROUNDS = 3;

    private final Supplier<Path> file;
    private final List<String> arguments;
    private final List<Case> cases;
    private final int mostRounds;
    private int runs;

    /**
     * A way to compute the distances.
     *
     * @param way {@code local}, or the way in which servers get jobs: the service is called {@code way-servers}
     * @param servers the number of servers
     * @param paperSpeedup the paper's time with one server divided by that with this number
     * @param paperOverhead the paper's RPC overhead in percent
     */
    private record Case(
            String way,
            int servers,
            @Nullable Double paperSpeedup,
            @Nullable Double paperOverhead) {

        boolean isLocal() {
            return way.equals("local");
        }

        String label() {
            return isLocal() ? way : way + "/" + servers;
        }

        String service() {
            return isLocal() ? way : way + "-" + servers;
        }

        /** The case to compare with: one server that gets its jobs in the same way. */
        String alone() {
            return isLocal() ? way : (way.equals("groups") ? "affinity" : way) + "/1";
        }
    }

    /**
     * Creates one.
     *
     * @param file the application file, with a service for each of the cases
     * @param arguments of the client
     * @param labels the cases
     */
    ClearanceExperiment(Supplier<Path> file, List<String> arguments, List<String> labels) {
        this(file, arguments, labels, Integer.MAX_VALUE);
    }

    private ClearanceExperiment(Supplier<Path> file, List<String> arguments, List<String> labels, int mostRounds) {
        this.mostRounds = mostRounds;
        this.file = file;
        this.arguments = List.copyOf(arguments);
        cases = ALL.stream().filter(each -> labels.contains(each.label())).toList();
    }

    static ClearanceExperiment ofThePaper() {
        return new ClearanceExperiment(
                () -> Home.file("clearance.yaml"),
                List.of("1493", "pace=3000", "load=1400", "room=60"),
                ALL.stream().map(Case::label).toList());
    }

    @Override
    public String question() {
        return "How do servers that load parts scale, with and without a choice of jobs? (Distributed Clearance, Table 1)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "five servers: speed-up 1.49 shared, 5.31 local data",
                String.format(
                        Locale.ROOT,
                        "%.2f demand, %.2f affinity",
                        figures.value("demand/5", "speedup"),
                        figures.value("affinity/5", "speedup")));
    }

    @Override
    public String charts(Figures figures) {
        return ClearancePage.of(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 25 + Math.min(rounds, mostRounds) * 5 * cases.size();
    }

    @Override
    public Experiment shortened() {
        return new ClearanceExperiment(
                file,
                arguments,
                cases.stream()
                        .map(Case::label)
                        .filter(label -> !LONG_FORM.contains(label))
                        .toList(),
                FEW_ROUNDS);
    }

    @Override
    public String leftOut() {
        return cases.size() == ALL.size()
                ? ""
                : "affinity/2 to /4 and groups/5, which the paper does not have, and all rounds but " + FEW_ROUNDS
                        + ": jobs wait more than they compute, and rounds differ little";
    }

    @Override
    public String name() {
        return "clearance";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "clearance: " + arguments.get(0)
                        + " pairs of parts through the broker. Each work server is held to a fixed"
                        + " pace by waiting, so that five fit on two processors: the distances are computed, and then the"
                        + " job goes on until it has taken " + micros("pace") + " us, and " + micros("load")
                        + " us for each part that it loads.",
                "All load from one emulated file server, one part at a time, and keep " + micros("room")
                        + " of 180. demand/N: to whom a result has come from; affinity/N: to who asks, of the region that it"
                        + " had last; groups/5: eight at a time.",
                "speedup: to one server of the same kind, as the paper's; overhead: of the time per job what no server was"
                        + " busy with. The paper's figures are those of shared data for demand, of local data for affinity.",
                "The distances are checked against those of all pairs of triangles.");
    }

    private String micros(String key) {
        return arguments.stream()
                .filter(argument -> argument.startsWith(key + "="))
                .map(argument -> argument.substring(key.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public List<Measurement> run(int wanted, Stage stage, Progress progress) {
        int rounds = Math.min(wanted, mostRounds);
        progress.show("clearance: starting broker and servers");
        Path application = file.get();
        Member client = stage.start(
                new Client("client", Calls.CLEAVED, application, stage.serve(application), Analysis.class, arguments));
        client.awaitLine("ready", PATIENCE);
        Results results = Results.none();
        progress.show("clearance: warming up");
        Case last = cases.get(cases.size() - 1);
        measure(client, last, Results.none());
        for (int round = 1; round <= rounds; round++) {
            for (Case each : cases) {
                progress.show("clearance: round " + round + " of " + rounds + ", " + each.label());
                measure(client, each, results);
            }
        }
        return measurements(results);
    }

    /**
     * The figures of all rounds.
     *
     * @param seconds until the last distance
     * @param overheads in percent
     * @param calls the cost of a call beyond its job, in microseconds of a server
     * @param loads parts that were loaded
     */
    private record Results(Cases seconds, Cases overheads, Cases calls, Cases loads) {

        static Results none() {
            return new Results(new Cases(), new Cases(), new Cases(), new Cases());
        }
    }

    private void measure(Member client, Case each, Results results) {
        client.send(each.service() + " " + runs++);
        String[] words = client.awaitLine("done ", PATIENCE).split(" ");
        double seconds = Double.parseDouble(words[1]);
        double busy = Double.parseDouble(words[2]);
        double error = Double.parseDouble(words[4]);
        if (!(error <= MOST_ERROR)) {
            throw new CommandException("clearance " + each.label() + ": distances are wrong by " + error
                    + " (expected: at most " + MOST_ERROR + "); see " + client.log());
        }
        results.seconds().add(each.label(), seconds);
        results.overheads().add(each.label(), (seconds * each.servers() / busy - 1) * 100);
        results.calls().add(each.label(), (seconds * each.servers() - busy) / Integer.parseInt(arguments.get(0)) * 1e6);
        results.loads().add(each.label(), Double.parseDouble(words[3]));
    }

    private List<Measurement> measurements(Results results) {
        Stream<Measurement> times = cases.stream().map(each -> {
            double ideal = results.seconds().median(LOCAL.label()) / each.servers();
            return figure(each, "time", results.seconds().median(each.label()), "s", null, ideal)
                    .spread(results.seconds().spread(each.label()));
        });
        List<String> labels = cases.stream().map(Case::label).toList();
        Stream<Measurement> speedups = cases.stream()
                .filter(each -> labels.contains(each.alone()))
                .map(each -> figure(
                                each,
                                "speedup",
                                results.seconds().medianRatio(each.alone(), each.label()),
                                "ratio",
                                each.paperSpeedup(),
                                (double) each.servers())
                        .spread(results.seconds().spreadOfRatio(each.alone(), each.label())));
        Stream<Measurement> overheads = cases.stream()
                .map(each -> figure(
                        each,
                        "overhead",
                        results.overheads().median(each.label()),
                        "percent",
                        each.paperOverhead(),
                        0.0));
        Stream<Measurement> calls = cases.stream()
                .map(each -> figure(each, "overhead-per-call", results.calls().median(each.label()), "us", null, 0.0));
        Stream<Measurement> loads = cases.stream()
                .map(each -> figure(each, "loads", results.loads().median(each.label()), "parts", null, null));
        List<Measurement> all = new ArrayList<>();
        Stream.of(times, speedups, overheads, calls, loads).forEach(figures -> figures.forEach(all::add));
        return all;
    }

    private static Measurement figure(
            Case of, String metric, double value, String unit, @Nullable Double paper, @Nullable Double ideal) {
        return new Measurement("clearance", of.label(), metric, value, unit, paper, ideal);
    }
}
