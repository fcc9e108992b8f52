package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.numeric.Eigenvalue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The CBS paper's Table 2: the NAS benchmark CG with its routine {@code conj_grad} at a server. */
final class CgExperiment implements Experiment {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The speed of the paper's remote run over that of its local one. */
    private static final Map<String, Double> PAPER = Map.of("W/1", 0.96, "W/2", 0.98);

    private final Supplier<Path> file;
    private final List<String> cases;
    private final int warmUp;

    /**
     * Creates one.
     *
     * @param file the application file
     * @param cases class and threads, as {@code W/2}
     * @param warmUp rounds before the first that counts
     */
    CgExperiment(Supplier<Path> file, List<String> cases, int warmUp) {
        this.file = file;
        this.cases = List.copyOf(cases);
        this.warmUp = warmUp;
    }

    static CgExperiment ofThePaper() {
        return new CgExperiment(() -> Home.file("cg.yaml"), List.of("S/1", "S/2", "W/1", "W/2"), 6);
    }

    @Override
    public String title() {
        return "conjugate gradients";
    }

    @Override
    public String question() {
        return "What does a routine cost that runs at a server? (CBS, Table 2)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "class W: 0.96 of local with one thread, 0.98 with two",
                String.format(
                        Locale.ROOT, "%.2f and %.2f", figures.value("W/1", "ratio"), figures.value("W/2", "ratio")));
    }

    @Override
    public String charts(Figures figures) {
        return CbsPages.cg(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 10 + (rounds + warmUp) * 5;
    }

    @Override
    public String name() {
        return "cg";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "cg: the NAS benchmark CG, classes S and W, with one and two threads; conj_grad runs at a server to which the matrix"
                        + " went before, 15 calls a run. ratio: local over remote time, of the median step; both take turns. zeta is checked to 1e-10 in each run"
                        + " (ideal: the value that the benchmark prescribes).");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("cg: starting broker and server");
        Path application = file.get();
        Member client = stage.start(new Client(
                "client", Calls.CLEAVED, application, stage.serve(application), Eigenvalue.class, List.of()));
        client.awaitLine("ready", PATIENCE);
        Cases figures = new Cases();
        for (int round = 1 - warmUp; round <= rounds; round++) {
            progress.show("cg: " + (round <= 0 ? "warming up" : "round " + round + " of " + rounds));
            for (String each : cases) {
                client.send(each.replace('/', ' '));
                String[] words = client.awaitLine("done ", PATIENCE).split(" ");
                if (round > 0) {
                    figures.add(each + " local", Double.parseDouble(words[1]));
                    figures.add(each + " remote", Double.parseDouble(words[2]));
                    figures.add(each + " zeta", Double.parseDouble(words[3]));
                }
            }
        }
        List<Measurement> measurements = new ArrayList<>();
        for (String each : cases) {
            double ratio = figures.medianRatio(each + " local", each + " remote");
            measurements.add(new Measurement(name(), each, "ratio", ratio, "ratio", PAPER.get(each), 1.0)
                    .spread(figures.spreadOfRatio(each + " local", each + " remote")));
        }
        for (String each : cases) {
            double zeta = each.startsWith("S") ? 8.5971775078648 : 10.362595087124;
            measurements.add(new Measurement(name(), each, "zeta", figures.median(each + " zeta"), "1", null, zeta));
        }
        for (String each : cases) {
            measurements.add(new Measurement(
                            name(),
                            each,
                            "time",
                            figures.median(each + " remote"),
                            "s",
                            null,
                            figures.median(each + " local"))
                    .spread(figures.spread(each + " remote")));
        }
        return measurements;
    }
}
