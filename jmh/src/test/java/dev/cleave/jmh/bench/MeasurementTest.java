package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest {

    private static final Metric TIME = new Metric("time", "ms");

    @Test
    void ratioIsToTheFloorOfTheSameWorkload() {
        Map<Turn, Figures> figures = new LinkedHashMap<>();
        figures.put(turn("loop", "plain"), new Figures(List.of(30.0)));
        figures.put(turn("loop", "futures"), new Figures(List.of(10.0)));
        figures.put(turn("stream", "plain"), new Figures(List.of(7.0)));

        List<Measurement> measurements = Measurement.of(figures, "futures");

        assertThat(measurements).extracting(Measurement::ratioToFloor).containsExactly(3.0, 1.0, null);
    }

    @Test
    void jsonHasARecordForEachFigureAndEachSpread() {
        Measurement measurement = new Measurement("loop/0-ms", "agent", TIME, 12.3456789, 4, 1.02);

        assertThat(Measurement.json(List.of(measurement))).isEqualTo("""
                [
                  {"workload": "loop/0-ms", "contender": "agent", "metric": "time", "value": 12.3457, "unit": "ms", \
                "ratio_to_floor": 1.02},
                  {"workload": "loop/0-ms", "contender": "agent", "metric": "spread", "value": 4, "unit": "%", \
                "ratio_to_floor": null}
                ]
                """);
    }

    private static Turn turn(String workload, String contender) {
        return new Turn(workload, contender, TIME, () -> 0);
    }
}
