package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.mandelbrot.Machine;
import dev.cleave.examples.mandelbrot.Picture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The CORD paper's Table 1: one picture from each of four machines, by synchronous and by asynchronous calls, and from all four. */
final class MandelbrotExperiment implements Experiment {

    private static final String MACHINES =
            Stream.of(Machine.values()).map(Machine::id).collect(Collectors.joining("+"));

    /**
     * A case of all four machines together.
     *
     * @param caseName its name in the figures
     * @param service its name in the application files
     * @param paper the paper's figure, or null
     */
    private record Four(
            String caseName, String service, @Nullable Double paper) {}

    private static final String PICTURE = "picture.png";

    private static final List<Four> FOURS = List.of(
            new Four("four/static", "four", Machine.FOUR_STATIC),
            new Four("four/chain", "four-chain", Machine.FOUR_CHAIN),
            new Four("four/circle", "four-circle", Machine.FOUR_CIRCLE),
            new Four("four/demand", "four-demand-2", null),
            new Four("four/demand-1", "four-demand-1", null),
            new Four("four/demand-3", "four-demand-3", null),
            new Four("four/demand-5", "four-demand-5", null),
            new Four("four/pull", "four-pull", null),
            new Four("four/least-loaded", "four-least-loaded", null));

    private final List<Four> fours;
    private final int singleRounds; // rounds in which machines draw by themselves

    MandelbrotExperiment() {
        this(FOURS, Integer.MAX_VALUE);
    }

    private MandelbrotExperiment(List<Four> fours, int singleRounds) {
        this.fours = List.copyOf(fours);
        this.singleRounds = singleRounds;
    }

    @Override
    public String title() {
        return "Mandelbrot";
    }

    @Override
    public String question() {
        return "What do asynchronous calls bring on one machine, and the ways to share rows on four? (CORD, Table 1)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "types 1 to 3: 34, 26, 17 s",
                String.format(
                        Locale.ROOT,
                        "%.1f, %.1f, %.1f s (ideal %.1f)",
                        figures.value("four/static", "time") * Machine.SCALE,
                        figures.value("four/chain", "time") * Machine.SCALE,
                        figures.value("four/circle", "time") * Machine.SCALE,
                        Machine.idealFour() * Machine.SCALE));
    }

    @Override
    public String charts(Figures figures) {
        return MandelbrotPage.of(figures);
    }

    @Override
    public Path picture(Path directory) {
        return directory.resolve(PICTURE);
    }

    @Override
    public int seconds(int rounds) {
        return 20 + Math.min(rounds, singleRounds) * 50 + rounds * (3 + 3 * fours.size());
    }

    @Override
    public Experiment shortened() {
        return new MandelbrotExperiment(
                FOURS.stream()
                        .filter(four -> !four.caseName.startsWith("four/demand-"))
                        .toList(),
                1);
    }

    @Override
    public String leftOut() {
        return fours.size() == FOURS.size()
                ? ""
                : "four/demand-1, -3 and -5, and all rounds but one of the machines by themselves, whose times are inputs of the"
                        + " emulation";
    }

    @Override
    public String name() {
        return "mandelbrot";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "mandelbrot: 200 calls of one row each. Time is scaled 1/" + Machine.SCALE + ": " + Machine.SCALE
                        + " seconds of the paper's machines pass in one of ours.",
                "value and ideal are our seconds, paper is the paper's own figure; ratio is value over ideal.",
                String.format(
                        Locale.ROOT,
                        "ideal: without overlap compute + transfer of all rows, with overlap the longer of the two; of all"
                                + " four the best schedule of whole rows (%.1f of the paper's seconds).",
                        Machine.idealFour() * Machine.SCALE),
                "The cases sync and async run the same servers, client and agent; the application files differ in style:"
                        + " alone. The four machines draw theirs at the same time.",
                "four/demand has two rows at a machine at a time, demand-N has N. In four/chain harvey gets all rows; in"
                        + " four/chain and four/circle rows that wait move between the machines (migrate:).");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException {
        progress.show("mandelbrot: starting broker and machines");
        Path sync = Home.file("mandelbrot-sync.yaml");
        Path async = Home.file("mandelbrot-async.yaml");
        Painter painter =
                new Painter(stage, stage.serve(async), stage.directory().resolve(PICTURE));
        painter.seconds("warm", "four", async);
        byte[] picture = Files.readAllBytes(painter.picture());
        String services = fours.stream().map(Four::service).collect(Collectors.joining(","));
        Cases times = new Cases();
        for (int round = 1; round <= rounds; round++) {
            boolean isOfSingles = round <= singleRounds;
            String all = isOfSingles ? MACHINES + "," + services : services;
            if (isOfSingles) {
                progress.show("mandelbrot: round " + round + " of " + rounds + ", sync");
                List<Double> seconds = painter.seconds("sync", MACHINES, sync);
                painter.check(picture);
                for (Machine machine : Machine.values()) {
                    times.add(machine.id() + "/sync", seconds.get(machine.ordinal()));
                }
            }
            progress.show("mandelbrot: round " + round + " of " + rounds + ", async");
            List<Double> seconds = painter.seconds("async", all, async);
            painter.check(picture);
            if (isOfSingles) {
                for (Machine machine : Machine.values()) {
                    times.add(machine.id() + "/async", seconds.get(machine.ordinal()));
                }
            }
            int first = seconds.size() - fours.size();
            for (int i = 0; i < fours.size(); i++) {
                times.add(fours.get(i).caseName, seconds.get(first + i));
            }
        }
        return measurements(times);
    }

    private List<Measurement> measurements(Cases times) {
        List<Measurement> measurements = new ArrayList<>();
        for (Machine machine : Machine.values()) {
            add(measurements, times, machine.id() + "/sync", machine.sync(), machine.idealSync());
            add(measurements, times, machine.id() + "/async", machine.async(), machine.idealAsync());
        }
        fours.forEach(four -> add(measurements, times, four.caseName, four.paper, Machine.idealFour()));
        measurements.add(
                new Measurement("mandelbrot", "scale", Figures.SCALE, Machine.SCALE, "s of the paper/s", null, null));
        return measurements;
    }

    private static void add(List<Measurement> to, Cases times, String caseName, @Nullable Double paper, double ideal) {
        double seconds = times.median(caseName);
        to.add(new Measurement("mandelbrot", caseName, "time", seconds, "s", paper, ideal)
                .spread(times.spread(caseName)));
        to.add(new Measurement("mandelbrot", caseName, "ratio", seconds / ideal, "ratio", null, 1.0)
                .spread(times.spread(caseName)));
    }

    /**
     * Runs the client.
     *
     * @param picture the file that it writes
     */
    private record Painter(Stage stage, Application servers, Path picture) {

        /** The times of the services, in their order. */
        List<Double> seconds(String name, String services, Path file) throws IOException {
            Files.deleteIfExists(picture);
            List<String> args = List.of(services, picture.toString(), "warm");
            return stage.run(new Client(name, Calls.CLEAVED, file, servers, Picture.class, args))
                    .seconds();
        }

        void check(byte[] expected) throws IOException {
            if (!Arrays.equals(expected, Files.readAllBytes(picture))) {
                throw new CommandException("the pictures differ: " + picture);
            }
        }
    }
}
