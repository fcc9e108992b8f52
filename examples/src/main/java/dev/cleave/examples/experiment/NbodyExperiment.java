package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.nbody.Field;
import dev.cleave.examples.nbody.Ring;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The measurement of the PVM-RPC paper: forces among particles by calls, and by a ring of processes that pass messages. */
final class NbodyExperiment implements Experiment {

    /** The pieces that the particles are cut into for the calls to each number of servers. */
    private static final Map<Integer, Integer> PIECES = Map.of(1, 4, 2, 6, 4, 8, 8, 10);

    private static final int WARM_UP = 4;

    /** The pieces of a warm-up: a round has few calls, far fewer than a process makes before it is compiled. */
    private static final int WARM_PIECES = 40;

    private static final double MOST_ERROR = 1e-9;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SEQUENTIAL = "servers=0";
    private static final String RING = "/ring";

    private final Supplier<Path> file;
    private final int particles;
    private final List<Integer> sizes;

    /**
     * Creates one.
     *
     * @param file the application file, with a service {@code nbody-N} for each of the sizes
     * @param particles how many
     * @param sizes the numbers of servers
     */
    NbodyExperiment(Supplier<Path> file, int particles, List<Integer> sizes) {
        this.file = file;
        this.particles = particles;
        this.sizes = List.copyOf(sizes);
    }

    static NbodyExperiment ofThePaper() {
        return new NbodyExperiment(() -> Home.file("nbody.yaml"), 10_000, List.of(1, 2, 4, 8));
    }

    @Override
    public String title() {
        return "long-range forces";
    }

    @Override
    public String question() {
        return "Do calls cost more than hand-written message passing? (PVM-RPC, Fig. 1)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "below 1; other programs within 5 to 10 %",
                String.format(
                        Locale.ROOT,
                        "%.2f, %.2f, %.2f, %.2f of message passing with 1, 2, 4, 8 servers",
                        figures.value("servers=1", "ratio"),
                        figures.value("servers=2", "ratio"),
                        figures.value("servers=4", "ratio"),
                        figures.value("servers=8", "ratio")));
    }

    @Override
    public String charts(Figures figures) {
        return NbodyPage.of(figures);
    }

    @Override
    public int seconds(int rounds) {
        return 20 + rounds * 5 + WARM_UP * 8;
    }

    @Override
    public String name() {
        return "nbody";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "nbody: the forces of " + particles + " particles on each other, each pair once. servers=0 is the plain"
                        + " sequential program.",
                "ideal: as many processes in a hand-written ring that passes messages over the same transport, in the same"
                        + " round; ratio is our time over theirs.",
                "error: the farthest that a force is from that of the sequential program, in proportion to the greatest"
                        + " one. This machine has " + Runtime.getRuntime().availableProcessors() + " processors.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("nbody: starting broker, servers and ring");
        Path application = file.get();
        List<String> count = List.of(Integer.toString(particles));
        Member client = stage.start(
                new Client("client", Calls.CLEAVED, application, stage.serve(application), Field.class, count));
        List<Member> ring = ring(stage);
        client.awaitLine("ready", PATIENCE);
        Cases times = new Cases();
        Cases errors = new Cases();
        for (int round = 1; round <= WARM_UP; round++) {
            progress.show("nbody: warming up, " + round + " of " + WARM_UP);
            for (int size : sizes) {
                client.send("nbody-" + size + " " + WARM_PIECES);
                done(client, ours(size), new Cases(), errors);
            }
            round(client, ring, new Cases(), errors);
        }
        for (int round = 1; round <= rounds; round++) {
            progress.show("nbody: round " + round + " of " + rounds);
            round(client, ring, times, errors);
        }
        return measurements(times, errors);
    }

    private List<Member> ring(Stage stage) {
        List<Member> ring = IntStream.range(0, sizes.get(sizes.size() - 1))
                .mapToObj(place -> stage.start(
                        "ring-" + place, Ring.class, List.of(Integer.toString(particles), Integer.toString(place))))
                .toList();
        String peers = ring.stream()
                .map(member -> member.awaitLine("listening ", PATIENCE).substring("listening ".length()))
                .collect(Collectors.joining(" ", "peers ", ""));
        ring.forEach(member -> member.send(peers));
        return ring;
    }

    private void round(Member client, List<Member> ring, Cases times, Cases errors) {
        client.send("sequential");
        done(client, SEQUENTIAL, times, errors);
        for (int size : sizes) {
            client.send("nbody-" + size + " " + PIECES.get(size));
            done(client, ours(size), times, errors);
            List<Member> members = ring.subList(0, size);
            members.forEach(member -> member.send("run " + size));
            members.stream().skip(1).forEach(member -> member.awaitLine("done", PATIENCE));
            done(ring.get(0), ours(size) + RING, times, errors);
        }
    }

    private static void done(Member member, String caseName, Cases times, Cases errors) {
        String[] words = member.awaitLine("done ", PATIENCE).split(" ");
        double error = Double.parseDouble(words[2]);
        if (!(error <= MOST_ERROR)) {
            throw new CommandException("nbody " + caseName + ": forces are wrong by " + error + " (expected: at most "
                    + MOST_ERROR + "); see " + member.log());
        }
        times.add(caseName, Double.parseDouble(words[1]));
        errors.add(caseName, error);
    }

    private List<Measurement> measurements(Cases times, Cases errors) {
        List<Measurement> measurements = new ArrayList<>();
        measurements.add(new Measurement("nbody", SEQUENTIAL, "time", times.median(SEQUENTIAL), "s", null, null)
                .spread(times.spread(SEQUENTIAL)));
        for (int size : sizes) {
            String ours = ours(size);
            measurements.add(
                    new Measurement("nbody", ours, "time", times.median(ours), "s", null, times.median(ours + RING))
                            .spread(times.spread(ours)));
        }
        for (int size : sizes) {
            double ratio = times.medianRatio(ours(size), ours(size) + RING);
            measurements.add(new Measurement("nbody", ours(size), "ratio", ratio, "ratio", null, 1.0)
                    .spread(times.spreadOfRatio(ours(size), ours(size) + RING)));
        }
        for (int size : sizes) {
            measurements.add(
                    new Measurement("nbody", ours(size), "error", errors.median(ours(size)), "relative", null, 0.0));
        }
        return measurements;
    }

    private static String ours(int size) {
        return "servers=" + size;
    }
}
