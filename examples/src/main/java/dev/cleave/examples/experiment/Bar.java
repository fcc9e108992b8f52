package dev.cleave.examples.experiment;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A bar that shows how much of all experiments is done, by the seconds that each is expected to take. It stops short of the end of
 * an experiment that takes longer. One thread uses it.
 */
final class Bar {

    private static final int WIDTH = 24;
    private static final double MOST = 0.97; // of an experiment that has not ended

    private final List<Experiment> all;
    private final int rounds;
    private long beganAt = System.nanoTime();
    private int current;

    Bar(List<Experiment> all, int rounds) {
        this.all = List.copyOf(all);
        this.rounds = rounds;
    }

    void begin(Experiment experiment) {
        current = all.indexOf(experiment);
        beganAt = System.nanoTime();
    }

    /** The bar, and the minutes that are left at least. */
    String text() {
        double whole = all.stream().mapToInt(each -> each.seconds(rounds)).sum();
        double before =
                all.stream().limit(current).mapToInt(each -> each.seconds(rounds)).sum();
        double expected = all.get(current).seconds(rounds);
        double elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganAt) / 1e3;
        double done = before + Math.min(elapsed, expected * MOST);
        int full = (int) (WIDTH * done / whole);
        return String.format(
                Locale.ROOT,
                "[%s%s] %d/%d, %.0f min left: ",
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                current + 1,
                all.size(),
                Math.ceil((whole - done) / 60));
    }
}
