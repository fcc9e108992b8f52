package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void oneArrayOfFlatRecords() {
        Measurement paper = new Measurement("mandelbrot", "harvey/sync", "time", 4.41234567, "s", 216.0, 4.32);
        Measurement own = new Measurement("dna", "cleaved", "speedup", 2, "ratio", null, null);

        assertThat(Json.array(List.of(paper, own))).isEqualTo("""
                        [
                          {"experiment": "mandelbrot", "case": "harvey/sync", "metric": "time", "value": 4.41235, \
                        "unit": "s", "paper": 216, "ideal": 4.32},
                          {"experiment": "dna", "case": "cleaved", "metric": "speedup", "value": 2, \
                        "unit": "ratio", "paper": null, "ideal": null}
                        ]
                        """);
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(Json.number(1.5e-7)).isEqualTo("0.00000015");
        assertThat(Json.number(2e9)).isEqualTo("2000000000");
        assertThat(Json.number(null)).isEqualTo("null");
    }

    @Test
    void stringsAreEscaped() {
        assertThat(Json.string("a\"b\\c\n")).isEqualTo("\"a\\\"b\\\\c\\u000a\"");
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
}
