package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.later.Caller;
import dev.cleave.examples.later.Network;
import dev.cleave.examples.later.ResultCaller;
import dev.cleave.examples.later.ResultWorkload;
import dev.cleave.examples.later.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The C++// paper's Figures 2 to 9: a method of two matrices that begins before the second one has arrived. And the same of results:
 * callers that use an array, or pass it on, before it is whole.
 */
final class LaterExperiment implements Experiment {

    private static final List<Integer> SIZES = List.of(50, 100, 200, 500, 1_000, 2_000);
    private static final int LARGEST = 2_896; // 64 MiB, on loopback alone
    private static final List<Integer> SQUARES = List.of(1, 4, 300);
    private static final List<Integer> RESULT_SIZES = List.of(100, 300, 1_000);
    private static final int LEAST_ON_LOOPBACK = 300; // what is smaller comes in no time there

    /** Two matrices, their square and what is on its way; in a tenth of the time a heap that grows would take. */
    private static final List<String> JVM = List.of("-Xmx1g", "-Xms512m");

    private final Supplier<Path> file;
    private final List<Workload> workloads;
    private final List<ResultWorkload> results;
    private final String leftOut;

    /**
     * Creates one.
     *
     * @param file the application file, with the services {@code later} and {@code plain}, and for results {@code stage}, {@code
     *     next} and both with {@code -plain}
     * @param workloads the cases of arguments
     * @param results the cases of results
     */
    LaterExperiment(Supplier<Path> file, List<Workload> workloads, List<ResultWorkload> results) {
        this(file, workloads, results, "");
    }

    private LaterExperiment(
            Supplier<Path> file, List<Workload> workloads, List<ResultWorkload> results, String leftOut) {
        this.leftOut = leftOut;
        this.file = file;
        this.workloads = List.copyOf(workloads);
        this.results = List.copyOf(results);
    }

    static LaterExperiment ofThePaper() {
        List<Workload> workloads = new ArrayList<>();
        for (Network network : Network.values()) {
            for (int squares : SQUARES) {
                SIZES.forEach(size -> workloads.add(new Workload(size, squares, network)));
                if (network == Network.LOOPBACK) {
                    workloads.add(new Workload(LARGEST, squares, network));
                }
            }
        }
        return new LaterExperiment(() -> Home.file("later.yaml"), workloads, results());
    }

    /** The cases of results. */
    static List<ResultWorkload> results() {
        List<ResultWorkload> results = new ArrayList<>();
        for (ResultWorkload.Use use : ResultWorkload.Use.values()) {
            for (Network network : Network.values()) {
                RESULT_SIZES.stream()
                        .filter(size -> network != Network.LOOPBACK || size >= LEAST_ON_LOOPBACK)
                        .forEach(size -> results.add(new ResultWorkload(use, size, network)));
            }
        }
        return results;
    }

    @Override
    public String name() {
        return "later";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "later: rang(m1, m2) squares m1 p times, then adds m2, which is a later argument in total-with, and sent with the"
                        + " call in total-without. The method is plain Java; the agent runs at the server.",
                "d1 is the time at the server for what needs m1 alone, d2 for the rest. gain is (total-without - total-with) /"
                        + " transfer, and transfer the time that m2 takes to come by itself; its ideal is what full overlap gives,"
                        + " min(1, d1 / transfer). hidden is the same without what d1 itself differs by from call to call.",
                "result: the caller computes with each element of an array that a call returned, about as long as it takes to come;"
                        + " compute is that time, and the ideal gain min(1, compute / transfer). pipeline: total(scaled(values)),"
                        + " at two servers; the way back of scaled's result overlaps its way on, so the ideal gain is 1: a plain"
                        + " method returns when its whole argument has come. Both programs are plain Java, the agent runs at the"
                        + " caller, too.",
                String.format(
                        Locale.ROOT,
                        "Networks of the paper: LAN 10 Mbit/s, 0.5 ms; WAN 1 Mbit/s, 60 ms; emulated. Link and machine are as many"
                                + " times faster as scale says: at least %d, for a machine of today, and more where a call would"
                                + " take over 2 s; then so many fewer rows of the square are computed.",
                        Workload.FASTER));
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("later: starting broker, servers and clients");
        Path application = file.get();
        List<String> options = new ArrayList<>(JVM);
        options.add(Agent.required().option(application, stage.directory().resolve("servers.report")));
        Application servers = stage.serve(application, options);
        Questions questions = new Questions(rounds, stage, JVM, progress);
        LaterFigures figures = new LaterFigures();
        questions.ask(
                new Client("arguments", Calls.SEQUENTIAL, application, servers, Caller.class, List.of()),
                workloads,
                figures::add);
        ResultFigures resultFigures = new ResultFigures();
        questions.ask(
                new Client("results", Calls.CLEAVED, application, servers, ResultCaller.class, List.of()),
                results,
                resultFigures::add);
        Stream<Measurement> ofArguments =
                workloads.stream().filter(figures::has).flatMap(figures::measurements);
        return Stream.concat(ofArguments, resultFigures.measurements()).toList();
    }

    @Override
    public String charts(Figures figures) {
        return LaterCharts.of(figures);
    }

    @Override
    public String title() {
        return "later arguments";
    }

    @Override
    public String question() {
        return "How much of an argument's transfer hides behind computation that does not need it? (C++//, Figs. 2 to 9)";
    }

    @Override
    public Headline headline(Figures figures) {
        String printed = LaterFigures.PRINTED.label();
        return new Headline(
                "680,816 to 556,446 us: 18 % of a call saved",
                String.format(
                        Locale.ROOT,
                        "%.0f %% of that call saved",
                        100 * (1 - figures.value(printed, "total-with") / figures.value(printed, "total-without"))));
    }

    @Override
    public int seconds(int rounds) {
        return 25 + rounds * (leftOut.isEmpty() ? workloads.size() * 5 + results.size() * 2 : 16);
    }

    @Override
    public Experiment shortened() {
        List<Workload> few = new ArrayList<>();
        for (Network network : List.of(Network.LAN, Network.WAN)) {
            for (int size : List.of(50, 200, 500)) {
                few.add(new Workload(size, 4, network));
                if (size < 500 || network == Network.LAN) {
                    few.add(new Workload(size, 1, network));
                }
            }
        }
        few.add(LaterFigures.PRINTED);
        List<ResultWorkload> results = results().stream()
                .filter(result -> result.size() == 300 && result.network() != Network.LOOPBACK)
                .toList();
        return new LaterExperiment(
                file,
                few,
                results,
                "all cases on loopback, matrices of 100, 1,000 and 2,000 rows, on the WAN with p=1 those of 500 too, p=300 but for the case that the paper prints,"
                        + " results of 100 and 1,000 rows (bin/cleave experiment later has them)");
    }

    @Override
    public String leftOut() {
        return leftOut;
    }
}
