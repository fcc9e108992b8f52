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

/** The CORD paper's Table 1: one picture from each of four machines, by synchronous and by asynchronous calls. */
final class MandelbrotExperiment implements Experiment {

    private static final String STATIC = "four/static";

    @Override
    public String name() {
        return "mandelbrot";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "mandelbrot: 200 calls of one row each. Time is scaled 1/" + Machine.SCALE + ": " + Machine.SCALE
                        + " seconds of the paper's machines pass in one of ours.",
                "value and ideal are our seconds, paper is the paper's own figure.",
                "The cases sync and async run the same servers, client and agent; the application files differ in style:"
                        + " alone.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException {
        progress.show("mandelbrot: starting broker and machines");
        Path sync = Home.file("mandelbrot-sync.yaml");
        Path async = Home.file("mandelbrot-async.yaml");
        Painter painter =
                new Painter(stage, stage.serve(sync), stage.directory().resolve("picture.png"));
        painter.seconds("warm", "four", async);
        byte[] picture = Files.readAllBytes(painter.picture());
        Cases times = new Cases();
        for (int round = 1; round <= rounds; round++) {
            for (Machine machine : Machine.values()) {
                progress.show("mandelbrot: round " + round + " of " + rounds + ", " + machine.id());
                times.add(machine.id() + "/sync", painter.seconds("sync", machine.id(), sync));
                painter.check(picture);
                times.add(machine.id() + "/async", painter.seconds("async", machine.id(), async));
                painter.check(picture);
            }
            progress.show("mandelbrot: round " + round + " of " + rounds + ", all four");
            times.add(STATIC, painter.seconds("static", "four", async));
            painter.check(picture);
        }
        return measurements(times);
    }

    private static List<Measurement> measurements(Cases times) {
        List<Measurement> measurements = new ArrayList<>();
        for (Machine machine : Machine.values()) {
            String sync = machine.id() + "/sync";
            String async = machine.id() + "/async";
            measurements.add(time(sync, times.median(sync), machine.sync(), machine.idealSync()));
            measurements.add(time(async, times.median(async), machine.async(), machine.idealAsync()));
        }
        measurements.add(time(STATIC, times.median(STATIC), Machine.FOUR_STATIC, Machine.idealFour()));
        measurements.add(
                new Measurement("mandelbrot", "scale", Page.SCALE, Machine.SCALE, "s of the paper/s", null, null));
        return measurements;
    }

    private static Measurement time(String caseName, double seconds, double paper, double ideal) {
        return new Measurement("mandelbrot", caseName, "time", seconds, "s", paper, ideal);
    }

    /**
     * Runs the client.
     *
     * @param picture the file that it writes
     */
    private record Painter(Stage stage, Application servers, Path picture) {

        double seconds(String name, String service, Path file) throws IOException {
            Files.deleteIfExists(picture);
            List<String> args = List.of(service, picture.toString(), "warm");
            return stage.run(new Client(service + "-" + name, Calls.CLEAVED, file, servers, Picture.class, args))
                    .time();
        }

        void check(byte[] expected) throws IOException {
            if (!Arrays.equals(expected, Files.readAllBytes(picture))) {
                throw new CommandException("the pictures differ: " + picture);
            }
        }
    }
}
