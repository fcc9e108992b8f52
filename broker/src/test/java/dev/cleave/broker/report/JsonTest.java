package dev.cleave.broker.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class JsonTest {

    @Test
    void oneArrayOfFlatRecords() {
        String first = Json.record("case", "sync", "value", 4.41234567, "calls", 1_234_567_890L, "paper", null);
        String second = Json.record("case", "async", "value", 2.0, "calls", 3, "paper", 216.0);

        assertThat(Json.array(List.of(first, second))).isEqualTo("""
                        [
                          {"case": "sync", "value": 4.41235, "calls": 1234567890, "paper": null},
                          {"case": "async", "value": 2, "calls": 3, "paper": 216}
                        ]
                        """);
    }

    @Test
    void numbersHaveNoExponentAndAreFinite() {
        assertThat(Json.record("x", 1.5e-7, "y", 2e9, "z", Double.NaN))
                .isEqualTo("{\"x\": 0.00000015, \"y\": 2000000000, \"z\": null}");
    }

    @Test
    void textsAreEscaped() {
        assertThat(Json.record("x", "a\"b\\c\n")).isEqualTo("{\"x\": \"a\\\"b\\\\c\\u000a\"}");
    }
}
