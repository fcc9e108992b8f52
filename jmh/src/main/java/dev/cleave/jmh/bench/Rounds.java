package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cli.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * How often turns are taken, in an order that chance gives to each round anew.
 *
 * @param count the number of rounds
 * @param random chance
 * @param progress told what is under way
 */
record Rounds(int count, Random random, Progress progress) {

    Rounds {
        requireNonNull(random, "random");
        requireNonNull(progress, "progress");
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count + " (expected: at least 1)");
        }
    }

    /** The figures of each turn, in the order of the turns. */
    Map<Turn, Figures> take(List<Turn> turns) {
        Map<Turn, List<Double>> values = new LinkedHashMap<>();
        turns.forEach(turn -> values.put(turn, new ArrayList<>()));
        List<Turn> order = new ArrayList<>(turns);
        for (int round = 1; round <= count; round++) {
            Collections.shuffle(order, random);
            for (Turn turn : order) {
                progress.show("round " + round + " of " + count + ": " + turn.workload() + ", " + turn.contender());
                values.computeIfAbsent(turn, t -> new ArrayList<>())
                        .add(turn.figure().getAsDouble());
            }
        }
        Map<Turn, Figures> figures = new LinkedHashMap<>();
        values.forEach((turn, all) -> figures.put(turn, new Figures(all)));
        return figures;
    }
}
