package dev.cleave.examples.dna;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class SmithWatermanTest {

    private final SmithWaterman compare = new SmithWaterman();

    @Test
    void equalSequencesScoreEveryPair() {
        assertThat(compare.score("ACGT", "ACGT")).isEqualTo(4 * SmithWaterman.MATCH);
    }

    @Test
    void nothingAlikeScoresZero() {
        assertThat(compare.score("AAAA", "CCCC")).isZero();
        assertThat(compare.score("", "ACGT")).isZero();
    }

    @Test
    void findsThePartThatIsAlike() {
        assertThat(compare.score("TTTTACGTACGT", "ACGTACGTGGGG")).isEqualTo(8 * SmithWaterman.MATCH);
    }

    @Test
    void longGapCostsOneOpening() {
        String left = "ACGTACGT";
        String right = "CCATTGGA";

        int score = compare.score(left + "GGG" + right, left + right);

        assertThat(score).isEqualTo(16 * SmithWaterman.MATCH - SmithWaterman.GAP_OPEN - 2 * SmithWaterman.GAP_EXTEND);
    }

    @Test
    void unreadBaseIsEqualToNothing() {
        assertThat(compare.score("N", "N")).isZero();
        assertThat(compare.score("ACNGT", "ACNGT")).isEqualTo(4 * SmithWaterman.MATCH + SmithWaterman.MISMATCH);
    }

    @Test
    void agreesWithTheDefinitionOnRandomSequences() {
        long seed = Seed.of(SmithWatermanTest.class);
        Random random = new Random(seed);

        for (int i = 0; i < 300; i++) {
            String query = sequence(random);
            String known = sequence(random);

            assertThat(compare.score(query, known))
                    .as("seed %d: %s, %s", seed, query, known)
                    .isEqualTo(NaiveAlignment.score(query, known));
        }
    }

    @Test
    void isSymmetric() {
        long seed = Seed.of(SmithWatermanTest.class);
        Random random = new Random(seed);

        for (int i = 0; i < 100; i++) {
            String a = sequence(random);
            String b = sequence(random);

            assertThat(compare.score(a, b)).as("seed %d: %s, %s", seed, a, b).isEqualTo(compare.score(b, a));
        }
    }

    private static String sequence(Random random) {
        StringBuilder letters = new StringBuilder();
        int length = random.nextInt(40);
        for (int i = 0; i < length; i++) {
            letters.append("ACGTN".charAt(random.nextInt(100) < 3 ? 4 : random.nextInt(4)));
        }
        return letters.toString();
    }
}
