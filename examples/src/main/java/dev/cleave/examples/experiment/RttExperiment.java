package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.rtt.Caller;
import dev.cleave.examples.rtt.Echo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The CBS paper's Table 1: what a call costs that does nothing, beside the bare link. */
final class RttExperiment implements Experiment {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double PAPER_RAW = 5;
    private static final String RAW = "raw";

    private static final List<Case> ALL = List.of(
            new Case(RAW, RAW, PAPER_RAW),
            new Case("void/relay", "void relay", 32.0),
            new Case("get/relay", "get relay", 50.0),
            new Case("client-part/relay", "client relay", 7.0),
            new Case("void/direct", "void direct", null),
            new Case("get/direct", "get direct", null),
            new Case("client-part", "client direct", 7.0),
            new Case("void/relay-inline", "void relay-inline", null),
            new Case("void/inline", "void inline", null));

    private final Supplier<Path> file;
    private final int times;
    private final int warmUp;

    /**
     * A way to measure.
     *
     * @param label of the case
     * @param command of the client
     * @param paper the paper's figure in microseconds
     */
    private record Case(
            String label, String command, @Nullable Double paper) {}

    /**
     * Creates one.
     *
     * @param file the application file
     * @param times how often each call is made in a round
     * @param warmUp rounds before the first that counts
     */
    RttExperiment(Supplier<Path> file, int times, int warmUp) {
        this.file = file;
        this.times = times;
        this.warmUp = warmUp;
    }

    static RttExperiment ofThePaper() {
        return new RttExperiment(() -> Home.file("rtt.yaml"), 2_000, 10);
    }

    @Override
    public String title() {
        return "round trips";
    }

    @Override
    public String question() {
        return "What does a call cost that does nothing? (CBS, Table 1)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "void 32 us, get 50 us, client part 7 us",
                String.format(
                        Locale.ROOT,
                        "void %.0f us, get %.0f us, client part %.1f us",
                        figures.value("void/relay", "time"),
                        figures.value("get/relay", "time"),
                        figures.value("client-part/relay", "time")));
    }

    @Override
    public String charts(Figures figures) {
        return CbsPages.rtt(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 10 + rounds + warmUp;
    }

    @Override
    public String name() {
        return "rtt";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "rtt: calls that do nothing, " + times
                        + " in a row, one client. raw: half of the round trip of 28 bytes on"
                        + " bare blocking sockets between two processes, as the paper's raw latency is that of one way.",
                "void: a call that is waited for; get: a call that is not, and one that returns a number; client-part: the time of"
                        + " the thread that sends a call and does not wait. ratio: to raw, in the same round; the paper's to"
                        + " its 5 us. .../inline: on the thread that has read the request, without a worker.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("rtt: starting broker and server");
        Path application = file.get();
        String port = stage.start("echo", Echo.class, List.of())
                .awaitLine("listening ", PATIENCE)
                .substring("listening ".length());
        Member client = stage.start(new Client(
                "client", Calls.SEQUENTIAL, application, stage.serve(application), Caller.class, List.of(port)));
        client.awaitLine("ready", PATIENCE);
        Cases micros = new Cases();
        for (int round = 1 - warmUp; round <= rounds; round++) {
            progress.show("rtt: " + (round <= 0 ? "warming up" : "round " + round + " of " + rounds));
            for (Case each : ALL) {
                client.send(each.command() + " " + times);
                double mean =
                        Double.parseDouble(client.awaitLine("done ", PATIENCE).split(" ")[1]);
                if (round > 0) {
                    micros.add(each.label(), each.label().equals(RAW) ? mean / 2 : mean);
                }
            }
        }
        return measurements(micros);
    }

    private List<Measurement> measurements(Cases micros) {
        List<Measurement> all = new ArrayList<>();
        for (Case each : ALL) {
            all.add(new Measurement(name(), each.label(), "time", micros.median(each.label()), "us", each.paper(), null)
                    .spread(micros.spread(each.label())));
        }
        for (Case each : ALL.subList(1, ALL.size())) {
            Double paper = each.paper() == null ? null : each.paper() / PAPER_RAW;
            all.add(new Measurement(
                            name(), each.label(), "ratio", micros.medianRatio(each.label(), RAW), "ratio", paper, null)
                    .spread(micros.spreadOfRatio(each.label(), RAW)));
        }
        return all;
    }
}
