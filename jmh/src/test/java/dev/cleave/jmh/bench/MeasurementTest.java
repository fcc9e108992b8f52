package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.jmh.bench.talk.Metric;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class MeasurementTest {

    private static final Metric TIME = new Metric("time", "ms");

    @Test
    void ratioIsToTheFloorOfTheSameWorkload() {
        List<Measurement> measurements = Measurement.of(
                List.of(series("loop", "plain", 30), series("loop", "futures", 10), series("stream", "plain", 7)),
                "futures");

        assertThat(measurements).extracting(Measurement::ratioToFloor).containsExactly(3.0, 1.0, null);
    }

    @Test
    void jsonHasARecordForEachFigureAndEachSpread() {
        Measurement measurement = new Measurement("loop/0-ms", "agent", TIME, 12.3456789, 4.0, 1.02);

        assertThat(Measurement.json(List.of(measurement))).isEqualTo("""
                [
                  {"workload": "loop/0-ms", "contender": "agent", "metric": "time", "value": 12.3457, "unit": "ms", \
                "ratio_to_floor": 1.02},
                  {"workload": "loop/0-ms", "contender": "agent", "metric": "spread", "value": 4, "unit": "%", \
                "ratio_to_floor": null}
                ]
                """);
    }

    @Test
    void whatCannotBeMeasuredHasNoFigures() {
        TurnSeries failed = series("loop", "plain", 30);
        failed.fail(new IllegalStateException("no"));

        List<Measurement> measurements =
                Measurement.of(List.of(failed, series("loop", "futures", 10), series("loop", "without")), "futures");

        assertThat(measurements).extracting(Measurement::value).containsExactly(null, 10.0, null);
        assertThat(measurements).extracting(Measurement::ratioToFloor).containsExactly(null, 1.0, null);
        assertThat(Measurement.json(measurements.subList(2, 3))).contains("\"value\": null");
    }

    private static TurnSeries series(String workload, String contender, double... figures) {
        TurnSeries series = new TurnSeries(new Turn(workload, contender, List.of(TIME), 0, () -> figures));
        series.add(figures);
        return series;
    }
}
