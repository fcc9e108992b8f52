package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.numeric.Products;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The CBS paper's Figure 3: products of matrices at a server, with matrices that travel and with matrices that stay. */
final class DgemmExperiment implements Experiment {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final List<Integer> THREADS = List.of(1, 2);
    private static final List<String> WAYS = List.of("by-value", "by-ref", "by-ref-sync");
    private static final long WORK = 100_000_000; // multiplications of a measurement
    private static final int WARM_UP = 2; // rounds

    private static final int LARGE = 1_024; // takes more than half of the time

    private final Supplier<Path> file;
    private final List<Integer> sizes;
    private final long work;

    /**
     * Creates one.
     *
     * @param file the application file
     * @param sizes the rows of the matrices
     * @param work about how many multiplications one measurement takes; one product at least
     */
    DgemmExperiment(Supplier<Path> file, List<Integer> sizes, long work) {
        this.file = file;
        this.sizes = List.copyOf(sizes);
        this.work = work;
    }

    static DgemmExperiment ofThePaper() {
        return new DgemmExperiment(() -> Home.file("dgemm.yaml"), List.of(32, 64, 128, 256, 512, LARGE), WORK);
    }

    @Override
    public String title() {
        return "products of matrices";
    }

    @Override
    public String question() {
        return "From which size on is a remote product as fast as a local one? (CBS, Fig. 3)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "equal from 32 x 32 on, matrices at the server",
                String.format(
                        Locale.ROOT,
                        "by reference: %.2f at 32 x 32, %.2f at 512 x 512",
                        figures.value("32/by-ref/1", "ratio"),
                        figures.value("512/by-ref/1", "ratio")));
    }

    @Override
    public String charts(Figures figures) {
        return CbsPages.dgemm(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 10 + (rounds + WARM_UP) * (sizes.contains(LARGE) ? 16 : 8);
    }

    @Override
    public Experiment shortened() {
        return new DgemmExperiment(
                file, sizes.stream().filter(size -> size < LARGE).toList(), work);
    }

    @Override
    public String leftOut() {
        return sizes.contains(LARGE) ? "" : "matrices of 1,024 rows (bin/cleave experiment dgemm has them)";
    }

    @Override
    public String name() {
        return "dgemm";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "dgemm: products of N x N matrices at a server, in proportion to the same code in the client; /1 and /2 threads. by-value:"
                        + " each call sends two matrices and gets one. by-ref: the matrices stay at the server, and each call is"
                        + " sent while the one before runs; by-ref-sync: each call when the one before has returned. The four take turns.",
                "The paper's remote execution equals the local one from 32 x 32 on. This machine has "
                        + Runtime.getRuntime().availableProcessors() + " processors.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("dgemm: starting broker and server");
        Path application = file.get();
        Member client = stage.start(
                new Client("client", Calls.CLEAVED, application, stage.serve(application), Products.class, List.of()));
        client.awaitLine("ready", PATIENCE);
        Cases times = new Cases();
        for (int round = 1 - WARM_UP; round <= rounds; round++) {
            progress.show("dgemm: " + (round <= 0 ? "warming up" : "round " + round + " of " + rounds));
            for (int size : sizes) {
                for (int threads : THREADS) {
                    measure(client, size, threads, round <= 0 ? new Cases() : times);
                }
            }
        }
        List<Measurement> measurements = new ArrayList<>();
        for (int size : sizes) {
            for (String way : WAYS) {
                for (int threads : THREADS) {
                    double ratio = times.medianRatio(label(size, way, threads), label(size, "local", threads));
                    measurements.add(new Measurement(
                                    name(), label(size, way, threads), "ratio", ratio, "ratio", null, 1.0)
                            .spread(times.spreadOfRatio(label(size, way, threads), label(size, "local", threads))));
                }
            }
        }
        return measurements;
    }

    private void measure(Member client, int size, int threads, Cases times) {
        long calls = Math.max(1, work / ((long) size * size * size));
        client.send(size + " " + threads + " " + calls);
        String[] words = client.awaitLine("done ", PATIENCE).split(" ");
        times.add(label(size, "local", threads), Double.parseDouble(words[1]));
        for (int i = 0; i < WAYS.size(); i++) {
            times.add(label(size, WAYS.get(i), threads), Double.parseDouble(words[2 + i]));
        }
    }

    private static String label(int size, String way, int threads) {
        return size + "/" + way + "/" + threads;
    }
}
