package dev.cleave.examples.clearance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class AssemblyTest {

    private final Assembly assembly = Assembly.generate(Assembly.PAIRS);

    @Test
    void fewPartsAreInManyPairsAndMostInFew() {
        int[] counts = new int[Assembly.PARTS];
        for (Assembly.Pair pair : assembly.pairs()) {
            counts[pair.part()]++;
            counts[pair.other()]++;
        }
        Arrays.sort(counts);

        assertThat(assembly.pairs()).hasSize(1_493);
        assertThat(new HashSet<>(assembly.pairs())).hasSize(1_493);
        assertThat(counts[counts.length - 1]).isGreaterThan(4 * counts[counts.length / 2]);
        assertThat(Arrays.stream(counts).skip(162).sum())
                .as("a tenth of the parts is in more than twice its share")
                .isGreaterThan(2 * 2 * 1_493 / 10);
    }

    @Test
    void itIsTheSameInEveryProcess() {
        assertThat(Assembly.generate(Assembly.PAIRS).pairs()).isEqualTo(assembly.pairs());
    }

    @Test
    void lookingAtCloseTrianglesAloneFindsTheSameDistances() {
        int apart = 0;
        for (Assembly.Pair pair : assembly.pairs().subList(0, 60)) {
            Mesh one = assembly.mesh(pair.part());
            Mesh two = assembly.mesh(pair.other());
            double distance = one.distance(two);

            assertThat(distance).as("%s", pair).isCloseTo(one.distanceOfAll(two), within(1e-12));
            apart += distance > 0 ? 1 : 0;
        }
        assertThat(apart).isBetween(20, 60);
    }

    @Test
    void surfacesHaveTheSizeOfTheirParts() {
        double[] beam = assembly.mesh(0).triangles();
        double least = 10;
        double most = 0;
        for (int i = 0; i < beam.length; i += 3) {
            least = Math.min(least, beam[i]);
            most = Math.max(most, beam[i]);
        }
        assertThat(most - least).as("along the x axis, the first beam").isCloseTo(9, within(0.2));
    }

    @Test
    void aServerKeepsWhatItHasLoadedWithinOneRun() throws Exception {
        Clearance clearance = new PacedClearance(Map.of("pace", "10", "load", "10", "room", "2"));

        assertThat(clearance.between(1, 0, 5, 6)[2]).isEqualTo(2);
        assertThat(clearance.between(1, 0, 6, 5)[2]).isZero();
        assertThat(clearance.between(1, 0, 6, 7)[2]).isEqualTo(1);
        assertThat(clearance.between(1, 0, 5, 7)[2])
                .as("5 was used longest ago")
                .isEqualTo(1);
        assertThat(clearance.between(2, 0, 5, 7)[2]).isEqualTo(2);
    }
}
