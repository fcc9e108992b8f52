package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeatsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void fewArePingedTogether() {
        assertThat(Beats.parts(0, SECOND)).isEqualTo(1);
        assertThat(Beats.parts(2 * Beats.TOGETHER - 1, SECOND)).isEqualTo(1);
    }

    @Test
    void manyArePingedOverTheInterval() {
        assertThat(Beats.parts(10_000, SECOND)).isEqualTo(10_000 / Beats.TOGETHER);
    }

    @Test
    void partsAreNotTooShort() {
        assertThat(Beats.parts(1_000_000, SECOND)).isEqualTo((int) SECOND.dividedBy(Beats.SHORTEST));
        assertThat(Beats.parts(1_000_000, Duration.ofMillis(1))).isEqualTo(1);
    }
}
