package dev.cleave.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.examples.demo.Outcome.Comparison;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class OutcomeTest {

    @Test
    void tableShowsBothWays() {
        Outcome outcome = new Outcome(
                List.of(new Comparison("search", 10, 5.25, true), new Comparison("look-ups", 1.1, 0.025, true)));

        assertThat(outcome.isIdentical()).isTrue();
        assertThat(outcome.table().lines())
                .containsExactly(
                        "          sequential  cleaved  speed-up  output",
                        "search      10.000 s  5.250 s      1.90  identical",
                        "look-ups     1.100 s  0.025 s     44.00  identical");
    }

    @Test
    void oneDifferenceIsADifference() {
        Outcome outcome = new Outcome(List.of(new Comparison("search", 1, 1, true), new Comparison("x", 1, 1, false)));

        assertThat(outcome.isIdentical()).isFalse();
        assertThat(outcome.table().lines().get(2)).endsWith("DIFFERENT");
    }
}
