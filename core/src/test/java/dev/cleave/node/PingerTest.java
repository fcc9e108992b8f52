package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PingerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void fewArePingedTogether() {
        assertThat(Pinger.parts(0, SECOND)).isEqualTo(1);
        assertThat(Pinger.parts(2 * Pinger.TOGETHER - 1, SECOND)).isEqualTo(1);
    }

    @Test
    void manyArePingedOverTheInterval() {
        assertThat(Pinger.parts(10_000, SECOND)).isEqualTo(10_000 / Pinger.TOGETHER);
    }

    @Test
    void partsAreNotTooShort() {
        assertThat(Pinger.parts(1_000_000, SECOND)).isEqualTo((int) SECOND.dividedBy(Pinger.SHORTEST));
        assertThat(Pinger.parts(1_000_000, Duration.ofMillis(1))).isEqualTo(1);
    }
}
