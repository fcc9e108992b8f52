package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class MeasurementTest {

    @Test
    void isAFlatRecord() {
        Measurement paper = new Measurement("mandelbrot", "harvey/sync", "time", 4.41234567, "s", 216.0, null);

        assertThat(paper.json()).isEqualTo("""
                        {"experiment": "mandelbrot", "case": "harvey/sync", "metric": "time", "value": 4.41235, \
                        "unit": "s", "paper": 216, "ideal": null, "spread": null}""");
    }

    @Test
    void valuesAreNumbers() {
        assertThatThrownBy(() -> new Measurement("dna", "cleaved", "time", Double.NaN, "s", null, null))
                .hasMessage("value: NaN (expected: a finite number) of cleaved");
    }

    @Test
    void medianIsTheMiddle() {
        assertThat(Median.of(List.of(3.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Median.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }

    @Test
    void spreadIsTheDistanceOfTheQuartiles() {
        assertThat(Median.spread(List.of(10.0, 12.0, 8.0, 11.0, 9.0))).isEqualTo(20.0);
        assertThat(Median.spread(List.of(0.0, 0.0))).isZero();
        assertThat(Median.spread(List.of(4.0))).isNaN();
        assertThat(new Measurement("dna", "case", "time", 4, "s", null, null)
                        .spread(Double.NaN)
                        .spread())
                .isNull();
    }
}
