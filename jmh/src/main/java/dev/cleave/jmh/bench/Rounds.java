package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.ProcessException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Takes turns in rounds, in a random order for each round. A turn that fails is not taken again.
 *
 * @param count the number of rounds
 * @param random chooses the orders
 * @param progress shows the current turn
 */
record Rounds(int count, Random random, Progress progress) {

    Rounds {
        requireNonNull(random, "random");
        requireNonNull(progress, "progress");
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count + " (expected: at least 1)");
        }
    }

    /** Takes the turns, and returns the figures of each, in the order of the turns. */
    List<TurnSeries> take(List<Turn> turns) {
        List<TurnSeries> all = turns.stream().map(TurnSeries::new).toList();
        for (TurnSeries series : all) {
            for (int i = 0; i < series.turn().warmUps(); i++) {
                progress.show("warming up: " + series.label());
                figures(series);
            }
        }
        List<TurnSeries> order = new ArrayList<>(all);
        for (int round = 1; round <= count; round++) {
            Collections.shuffle(order, random);
            int taken = 0;
            for (TurnSeries series : order) {
                taken++;
                progress.show("round " + round + " of " + count + ", " + taken + " of " + order.size() + ": "
                        + series.label());
                series.add(figures(series));
            }
        }
        return all;
    }

    private double[] figures(TurnSeries series) {
        if (series.hasFailed()) {
            return new double[0];
        }
        try {
            return series.turn().figures().get();
        } catch (CommandException | ProcessException e) { // the others go on
            series.fail(e);
            progress.say("cleave: " + series.label() + " failed: " + e.getMessage());
            return new double[0];
        }
    }
}
