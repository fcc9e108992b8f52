package dev.cleave.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.metrics.Refusals;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class FencesTest {

    private final Grants.Fences fences = new Grants.Fences();

    @Test
    void ofTwoOwnersTheOlderOneIsRefusedOnceTheNewerOneHasSpoken() {
        assertThat(fences.takes("s", 5)).as("the only one so far").isTrue();
        assertThat(fences.takes("s", 7)).isTrue();
        long before = Refusals.of("migration.fence");

        assertThat(fences.takes("s", 5)).isFalse();
        assertThat(fences.takes("s", 7)).isTrue();

        assertThat(Refusals.of("migration.fence")).isEqualTo(before + 1);
    }

    @Test
    void servicesHaveOwnersOfTheirOwn() {
        assertThat(fences.takes("s", 7)).isTrue();
        assertThat(fences.takes("t", 5)).isTrue();
    }

    @Test
    void aBrokerWithoutClusterIsNeverRefused() {
        assertThat(fences.takes("s", 7)).isTrue();
        assertThat(fences.takes("s", 0)).isTrue();
        assertThat(fences.takes("s", 5)).isFalse();
    }
}
