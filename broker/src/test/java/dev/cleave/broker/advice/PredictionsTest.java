package dev.cleave.broker.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PredictionsTest {

    private final Predictions predictions = new Predictions();

    private void add(String what, double predicted, double measured) {
        predictions.add(new Change(what, Map.of(), predicted, "it is so"), measured);
    }

    @Test
    void theErrorIsTheMedianOverAllFiles() {
        predictions.begin(Path.of("a.yaml"), 2);
        add("async", 1, 1.2);
        add("more", 2, 2.1);
        predictions.begin(Path.of("b.yaml"), 2);
        add("pull", 1, 0.9);

        assertThat(predictions.medianError()).isCloseTo(0.1, within(1e-9));
        assertThat(predictions.lines())
                .containsExactly(
                        "file    before s  predicted s  measured s  error  change",
                        "a.yaml     2.000        1.000       1.200   20 %  async   the best",
                        "                        2.000       2.100    5 %  more",
                        "b.yaml     2.000        1.000       0.900   10 %  pull    the best",
                        "median error 10.0 % of 3 predictions; the best change was predicted in 2 of 2 files");
    }

    @Test
    void aWinnerThatAnotherChangeBeatsIsWrong() {
        predictions.begin(Path.of("a.yaml"), 2);
        add("async", 1, 1.5);
        add("more", 1.6, 1.1);

        assertThat(predictions.rightWinners()).isZero();
        assertThat(predictions.files()).isEqualTo(1);
    }

    @Test
    void whereNothingHelpsTheFileAsItIsWins() {
        predictions.begin(Path.of("a.yaml"), 2);
        add("more", 2, 2.3);
        assertThat(predictions.rightWinners()).isEqualTo(1);

        predictions.begin(Path.of("b.yaml"), 2);
        add("more", 2, 1.2);
        assertThat(predictions.rightWinners()).isEqualTo(1);
    }

    @Test
    void withoutPredictionsThereIsNoError() {
        predictions.begin(Path.of("a.yaml"), 2);

        assertThat(predictions.medianError()).isNaN();
        assertThat(predictions.files()).isZero();
    }
}
