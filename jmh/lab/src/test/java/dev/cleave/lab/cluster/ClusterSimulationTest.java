package dev.cleave.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("one-jdk")
final class ClusterSimulationTest {

    private static final int SEEDS = 60;
    private static final int CLUSTERS = Boolean.getBoolean("cleave.full") ? SEEDS : 10;

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void registriesAndStoreAgreeHoweverMuchGoesWrong(StoreKind kind) {
        for (long seed = 0; seed < CLUSTERS; seed++) {
            ClusterSimulation.Result result = new ClusterSimulation(seed, kind, null).run();

            assertThat(result.broken()).as("seed %d: %s", seed, result.story()).isEmpty();
        }
    }

    /** A broker that stands still and is cut off does not learn that another one was there for eight seconds meanwhile. */
    @Test
    void aBrokerThatMayHaveMissedAnotherOneWaitsAnewBeforeItRemovesItsReplicas() {
        assertThat(new ClusterSimulation(712_123, StoreKind.MEMORY, null).run().broken())
                .isEmpty();
    }

    /** A broker whose session ends while it writes several replicas joins again when the last of these writes has ended. */
    @Test
    void noWriteOfAnEndedSessionComesAfterTheNextOneHasBegun() {
        assertThat(new ClusterSimulation(47_060, StoreKind.ZOOKEEPER, null)
                        .run()
                        .broken())
                .isEmpty();
    }

    @Test
    void aSeedSaysAllThatHappens() {
        assertThat(new ClusterSimulation(7, StoreKind.ZOOKEEPER, null).run())
                .isEqualTo(new ClusterSimulation(7, StoreKind.ZOOKEEPER, null).run());
    }

    @ParameterizedTest
    @EnumSource(StoreDefect.class)
    void plantedDefectsAreSeen(StoreDefect defect) {
        boolean isSeen = false;
        for (long seed = 0; seed < SEEDS && !isSeen; seed++) {
            isSeen = !new ClusterSimulation(seed, defect.kind(), defect)
                    .run()
                    .broken()
                    .isEmpty();
        }

        assertThat(isSeen).isTrue();
    }
}
