package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One figure of the bench.
 *
 * @param workload what was run
 * @param contender who ran it
 * @param metric what the figure says
 * @param value the median over the rounds
 * @param spread the distance of the quartiles, in per cent of the median
 * @param ratioToFloor {@code value} over that of the floor in the same run; null if the floor did not run this
 */
record Measurement(
        String workload,
        String contender,
        Metric metric,
        double value,
        double spread,
        @Nullable Double ratioToFloor) {

    private static final Metric SPREAD = new Metric("spread", "%");
    private static final MathContext DIGITS = new MathContext(6);

    Measurement {
        requireNonNull(workload, "workload");
        requireNonNull(contender, "contender");
        requireNonNull(metric, "metric");
    }

    /** Compares figures with those of the contender {@code floor}. */
    static List<Measurement> of(Map<Turn, Figures> figures, String floor) {
        List<Measurement> measurements = new ArrayList<>();
        figures.forEach((turn, own) -> {
            double median = own.median();
            Double ratio = figures.entrySet().stream()
                    .filter(e -> e.getKey().contender().equals(floor)
                            && e.getKey().workload().equals(turn.workload()))
                    .map(e -> median / e.getValue().median())
                    .findFirst()
                    .orElse(null);
            measurements.add(
                    new Measurement(turn.workload(), turn.contender(), turn.metric(), median, own.spread(), ratio));
        });
        return measurements;
    }

    /** All as one JSON array of flat records, each measurement as one of its own metric and one of metric spread. */
    static String json(List<Measurement> measurements) {
        return measurements.stream()
                .flatMap(m ->
                        List.of(m.record(m.metric(), m.value(), m.ratioToFloor()), m.record(SPREAD, m.spread(), null))
                                .stream())
                .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
    }

    private String record(Metric of, double number, @Nullable Double ratio) {
        return "{\"workload\": \"" + workload
                + "\", \"contender\": \"" + contender
                + "\", \"metric\": \"" + of.name()
                + "\", \"value\": " + number(number)
                + ", \"unit\": \"" + of.unit()
                + "\", \"ratio_to_floor\": " + number(ratio) + "}";
    }

    private static String number(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return "null";
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
