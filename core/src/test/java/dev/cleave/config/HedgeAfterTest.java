package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgeAfterTest {

    @Test
    void isATimeOrAPartOfTheCalls() {
        assertThat(HedgeAfter.parse("50ms")).isEqualTo(new HedgeAfter(Duration.ofMillis(50), 0));
        assertThat(HedgeAfter.parse("p50")).isEqualTo(new HedgeAfter(null, 500));
        assertThat(HedgeAfter.parse("p95").isMeasured()).isTrue();
        assertThat(HedgeAfter.parse("p99.9")).isEqualTo(new HedgeAfter(null, 999));
    }

    @ParameterizedTest
    @ValueSource(strings = {"p49", "p100", "p9", "p99.95", "95", "0ms", "often", "P95"})
    void andNothingElse(String text) {
        assertThatThrownBy(() -> HedgeAfter.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        text
                                + " (expected: a duration such as 5ms or 1s, or a part of the calls from p50 to p99.9, such as p95)");
    }
}
