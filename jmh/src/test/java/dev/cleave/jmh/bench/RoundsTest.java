package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RoundsTest {

    private static final Metric TIME = new Metric("time", "ms");

    private final StringWriter err = new StringWriter();
    private final List<String> taken = new ArrayList<>();

    @Test
    void eachTurnIsWarmedUpAndThenTakenOnceARound() {
        List<TurnSeries> all = rounds(3).take(List.of(turn("a", 2, () -> 1.0), turn("b", 0, () -> 2.0)));

        assertThat(taken).startsWith("a", "a").hasSize(2 + 3 * 2);
        assertThat(taken.stream().filter("b"::equals)).hasSize(3);
        assertThat(all)
                .extracting(series -> series.figures(0))
                .containsExactly(new Figures(List.of(1.0, 1.0, 1.0)), new Figures(List.of(2.0, 2.0, 2.0)));
    }

    @Test
    void oneThatFailsIsNotTakenAgainAndTheOthersGoOn() {
        Supplier<Double> failing = () -> {
            throw new CommandException("no answer");
        };

        List<TurnSeries> all = rounds(3).take(List.of(turn("a", 1, failing), turn("b", 0, () -> 2.0)));

        assertThat(taken.stream().filter("a"::equals)).hasSize(1);
        assertThat(all.get(0).hasFailed()).isTrue();
        assertThat(all.get(0).figures(0)).isNull();
        assertThat(all.get(1).figures(0)).isNotNull();
        assertThat(err.toString()).isEqualTo("cleave: a, loop failed: no answer\n");
    }

    private Rounds rounds(int count) {
        return new Rounds(count, new Random(1), Progress.on(new PrintWriter(err)));
    }

    private Turn turn(String contender, int warmUps, Supplier<Double> figure) {
        return new Turn("loop", contender, List.of(TIME), warmUps, () -> {
            taken.add(contender);
            return new double[] {figure.get()};
        });
    }
}
