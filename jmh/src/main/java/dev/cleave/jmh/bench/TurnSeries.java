package dev.cleave.jmh.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of one turn in all rounds. Of one thread. */
final class TurnSeries {

    private final Turn turn;
    private final List<List<Double>> values = new ArrayList<>();
    private @Nullable RuntimeException failure;

    TurnSeries(Turn turn) {
        this.turn = turn;
        turn.metrics().forEach(metric -> values.add(new ArrayList<>()));
    }

    Turn turn() {
        return turn;
    }

    /** The figures of a round; none if there are none. */
    void add(double[] figures) {
        for (int i = 0; i < figures.length; i++) {
            values.get(i).add(figures[i]);
        }
    }

    void fail(RuntimeException cause) {
        failure = cause;
        values.forEach(List::clear);
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** The figures of one metric; null if the contender has failed. */
    @Nullable
    Figures figures(int metric) {
        return values.get(metric).isEmpty() ? null : new Figures(values.get(metric));
    }

    /** The contender and the workload, for messages. */
    String label() {
        return turn.contender() + ", " + turn.workload();
    }
}
