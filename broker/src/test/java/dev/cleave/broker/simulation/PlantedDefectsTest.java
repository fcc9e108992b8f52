package dev.cleave.broker.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects that are put into simulated clusters; without one the same clusters keep every promise ({@link SimulationTest}). */
class PlantedDefectsTest {

    private static final int MOST_SEEDS = 200;

    @ParameterizedTest
    @EnumSource(Planted.class)
    void everyPlantedDefectIsSeen(Planted planted) {
        PlantedDefects.Caught caught = new PlantedDefects(0, MOST_SEEDS).look(planted);

        assertThat(caught).as(planted.what()).isNotNull();
        assertThat(requireNonNull(caught).broken()).containsAnyElementsOf(planted.breaks());
    }
}
