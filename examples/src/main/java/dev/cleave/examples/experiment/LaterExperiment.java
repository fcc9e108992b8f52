package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.later.Caller;
import dev.cleave.examples.later.Network;
import dev.cleave.examples.later.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The C++// paper's Figures 2 to 9: a method of two matrices that begins before the second one has arrived. */
final class LaterExperiment implements Experiment {

    private static final List<Integer> SIZES = List.of(50, 100, 200, 500, 1_000, 2_000);
    private static final int LARGEST = 2_896; // 64 MiB, on loopback alone
    private static final List<Integer> SQUARES = List.of(1, 4, 300);
    private static final Duration PATIENCE = Duration.ofMinutes(10); // a call may take its deadline, twice
    private static final String DONE = "done ";
    private static final String FAILED = "failed: ";

    /** Two matrices, their square and what is on its way; in a tenth of the time a heap that grows would take. */
    private static final List<String> JVM = List.of("-Xmx1g", "-Xms512m");

    private final Supplier<Path> file;
    private final List<Workload> workloads;

    /**
     * Creates one.
     *
     * @param file the application file, with the services {@code later} and {@code plain}
     * @param workloads the cases
     */
    LaterExperiment(Supplier<Path> file, List<Workload> workloads) {
        this.file = file;
        this.workloads = List.copyOf(workloads);
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
        return new LaterExperiment(() -> Home.file("later.yaml"), workloads);
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
                String.format(
                        Locale.ROOT,
                        "Networks of the paper: LAN 10 Mbit/s, 0.5 ms; WAN 1 Mbit/s, 60 ms; emulated. Link and machine are so many"
                                + " times faster as scale says: at least %d, for a machine of today, and more where a call would"
                                + " take over 2 s; then so many fewer rows of the square are computed.",
                        Workload.FASTER));
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("later: starting broker, server and client");
        Path application = file.get();
        List<String> options = new ArrayList<>(JVM);
        options.add(Agent.required().option(application, stage.directory().resolve("servers.report")));
        Member client = stage.start(
                new Client(
                        "client",
                        Calls.SEQUENTIAL,
                        application,
                        stage.serve(application, options),
                        Caller.class,
                        List.of()),
                JVM);
        client.awaitLine("ready", PATIENCE);
        LaterFigures figures = new LaterFigures();
        ask(client, workloads.get(0)); // warms up
        for (int round = 1; round <= rounds; round++) {
            long begin = System.nanoTime();
            for (Workload workload : workloads) {
                progress.show("later: round " + round + " of " + rounds + ", " + workload.label());
                String answer = ask(client, workload);
                if (answer.startsWith(FAILED)) {
                    progress.say("later: round " + round + ", " + workload.label() + " left out, it " + answer);
                } else {
                    figures.add(workload, answer.split(" "));
                }
            }
            long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
            progress.say("later: round " + round + " of " + rounds + " took " + seconds + " s");
        }
        return workloads.stream()
                .filter(figures::has)
                .flatMap(figures::measurements)
                .toList();
    }

    private static String ask(Member client, Workload workload) {
        client.send(workload.size() + " " + workload.squares() + " "
                + workload.network().id());
        return client.awaitLine(DONE, PATIENCE).substring(DONE.length());
    }

    @Override
    public String charts(List<Measurement> measurements) {
        return LaterCharts.of(measurements);
    }
}
