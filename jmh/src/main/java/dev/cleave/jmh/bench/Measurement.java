package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.report.Json;
import dev.cleave.jmh.bench.talk.Metric;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One figure of the bench.
 *
 * @param workload the workload
 * @param contender the contender
 * @param metric the metric
 * @param value the median over the rounds; null if the contender has failed
 * @param spread the distance of the quartiles, in per cent of the median; null if {@code value} is
 * @param ratioToFloor {@code value} over that of the floor in the same run; null if either is missing
 */
record Measurement(
        String workload,
        String contender,
        Metric metric,
        @Nullable Double value,
        @Nullable Double spread,
        @Nullable Double ratioToFloor) {

    private static final Metric SPREAD = new Metric("spread", "%");

    Measurement {
        requireNonNull(workload, "workload");
        requireNonNull(contender, "contender");
        requireNonNull(metric, "metric");
    }

    /** Compares figures with those of the contender {@code floor}. */
    static List<Measurement> of(List<TurnSeries> all, String floor) {
        List<Measurement> measurements = new ArrayList<>();
        for (TurnSeries series : all) {
            Turn turn = series.turn();
            for (int i = 0; i < turn.metrics().size(); i++) {
                Metric metric = turn.metrics().get(i);
                Figures own = series.figures(i);
                Figures floors = figures(all, floor, turn.workload(), metric);
                Double value = own == null ? null : (Double) own.median();
                measurements.add(new Measurement(
                        turn.workload(),
                        turn.contender(),
                        metric,
                        value,
                        own == null ? null : (Double) own.spread(),
                        value == null || floors == null ? null : (Double) (value / floors.median())));
            }
        }
        return measurements;
    }

    private static @Nullable Figures figures(List<TurnSeries> all, String contender, String workload, Metric metric) {
        for (TurnSeries series : all) {
            int index = series.turn().metrics().indexOf(metric);
            if (index >= 0
                    && series.turn().contender().equals(contender)
                    && series.turn().workload().equals(workload)) {
                return series.figures(index);
            }
        }
        return null;
    }

    /** All as one JSON array of flat records, each measurement as one of its own metric and one of metric spread. */
    static String json(List<Measurement> measurements) {
        List<String> records = new ArrayList<>();
        for (Measurement m : measurements) {
            records.add(m.record(m.metric(), m.value(), m.ratioToFloor()));
            records.add(m.record(SPREAD, m.spread(), null));
        }
        return Json.array(records);
    }

    private String record(Metric of, @Nullable Double number, @Nullable Double ratio) {
        return Json.record(
                "workload",
                workload,
                "contender",
                contender,
                "metric",
                of.name(),
                "value",
                number,
                "unit",
                of.unit(),
                "ratio_to_floor",
                ratio);
    }
}
