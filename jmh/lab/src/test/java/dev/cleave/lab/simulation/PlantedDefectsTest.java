package dev.cleave.lab.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.lab.history.Planted;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Defects that are put into simulated clusters; without one the same clusters keep every promise ({@link SimulationTest}). */
@Tag("one-jdk")
class PlantedDefectsTest {

    private static final int MOST_SEEDS = 100;

    static Stream<Planted> defects() {
        return Stream.of(Planted.values()).filter(planted -> !planted.isOfNodes());
    }

    @ParameterizedTest
    @MethodSource("defects")
    void everyPlantedDefectIsSeen(Planted planted) {
        PlantedDefects.Caught caught = new PlantedDefects(0, MOST_SEEDS).look(planted);

        assertThat(caught).as(planted.what()).isNotNull();
        assertThat(requireNonNull(caught).broken()).containsAnyElementsOf(planted.breaks());
    }
}
