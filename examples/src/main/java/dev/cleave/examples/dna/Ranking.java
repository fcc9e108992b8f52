package dev.cleave.examples.dna;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Orders the matches of one query. */
final class Ranking {

    private Ranking() {}

    /**
     * The numbers of the {@code most} highest scores, highest first; of equal ones the lower number first.
     */
    static List<Integer> best(int[] scores, int most) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(number -> -scores[number])
                        .thenComparing(Comparator.naturalOrder()))
                .limit(most)
                .toList();
    }
}
