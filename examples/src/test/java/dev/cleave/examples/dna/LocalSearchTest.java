package dev.cleave.examples.dna;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LocalSearchTest {

    @Test
    void piecesTogetherAreTheWhole() {
        List<Sequence> queries = List.of(new Sequence("a", "ACGT"), new Sequence("b", "GGTT"));
        String[] known = {"ACG", "TTG", "GGT", "A", "CCGT"};
        Compare compare = new SmithWaterman();

        long whole = LocalSearch.sum(compare, queries, known, 0, 1);
        long pieces = LocalSearch.sum(compare, queries, known, 0, 3)
                + LocalSearch.sum(compare, queries, known, 1, 3)
                + LocalSearch.sum(compare, queries, known, 2, 3);

        assertThat(pieces).isEqualTo(whole).isPositive();
    }
}
