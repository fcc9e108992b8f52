package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class FiguresTest {

    @Test
    void medianIsTheMiddleOne() {
        assertThat(new Figures(List.of(9.0, 1.0, 2.0)).median()).isEqualTo(2);
        assertThat(new Figures(List.of(4.0, 1.0)).median()).isEqualTo(2.5);
    }

    @Test
    void spreadIsTheDistanceOfTheQuartiles() {
        assertThat(new Figures(List.of(1.0, 2.0, 4.0, 5.0, 9.0)).spread()).isEqualTo(75);
        assertThat(new Figures(List.of(3.0)).spread()).isZero();
    }

    @Test
    void noValuesAreRefused() {
        assertThatThrownBy(() -> new Figures(List.of())).hasMessage("values: none (expected: at least one)");
    }
}
