package dev.cleave.examples.dna;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RankingTest {

    @Test
    void highestFirstAndOfEqualOnesTheLowerNumber() {
        assertThat(Ranking.best(new int[] {3, 9, 9, 1, 3}, 4)).containsExactly(1, 2, 0, 4);
    }

    @Test
    void givesAllIfThereAreFewer() {
        assertThat(Ranking.best(new int[] {1, 2}, 10)).containsExactly(1, 0);
    }
}
