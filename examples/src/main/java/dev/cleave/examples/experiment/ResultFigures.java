package dev.cleave.examples.experiment;

import dev.cleave.examples.later.ResultWorkload;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The times of programs with and without {@code @Later} results, round by round. */
final class ResultFigures {

    private static final String[] METRICS = {"transfer", "total-with", "total-without", "compute"};

    private final Cases values = new Cases();
    private final Set<ResultWorkload> measured = new LinkedHashSet<>();

    /** Adds what the client has answered: the seconds of each metric. */
    void add(ResultWorkload workload, String[] answer) {
        for (int i = 0; i < METRICS.length; i++) {
            values.add(key(workload, METRICS[i]), Double.parseDouble(answer[i]));
        }
        double saved = Double.parseDouble(answer[2]) - Double.parseDouble(answer[1]);
        values.add(key(workload, "gain"), saved / Double.parseDouble(answer[0]));
        measured.add(workload);
    }

    Stream<Measurement> measurements() {
        return measured.stream().flatMap(this::measurements);
    }

    private Stream<Measurement> measurements(ResultWorkload workload) {
        Stream<Measurement> times =
                Stream.of(METRICS).map(metric -> of(workload, metric, median(workload, metric), "s", null)
                                .spread(values.spread(key(workload, metric))));
        return Stream.concat(
                times,
                Stream.of(
                        of(workload, "gain", median(workload, "gain"), "ratio", ideal(workload)),
                        of(workload, Figures.SCALE, workload.scale(), "s of the paper/s", null)));
    }

    /**
     * The gain of full overlap: of the transfer of the result with the caller's computation, or with its transfer to
     * the next server.
     */
    private double ideal(ResultWorkload workload) {
        return switch (workload.use()) {
            case RESULT -> Math.min(1, median(workload, "compute") / median(workload, "transfer"));
            case PIPELINE -> 1;
        };
    }

    private double median(ResultWorkload workload, String metric) {
        return values.median(key(workload, metric));
    }

    private static Measurement of(
            ResultWorkload workload, String metric, double value, String unit, @Nullable Double ideal) {
        return new Measurement("later", workload.label(), metric, value, unit, null, ideal);
    }

    private static String key(ResultWorkload workload, String metric) {
        return workload.label() + " " + metric;
    }
}
