package dev.cleave.examples.experiment;

import dev.cleave.examples.later.Network;
import dev.cleave.examples.later.Workload;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The times of calls with and without a {@code @Later} argument, round by round. */
final class LaterFigures {

    private static final String[] METRICS = {
        "transfer", "total-with", "d1-with", "d2-with", "total-without", "d1-without", "d2-without"
    };

    /** The one case whose times the paper prints, in its second footnote: matrices of 2,500 integers, its Fig. 8. */
    static final Workload PRINTED = new Workload(50, 300, Network.WAN);

    /** The times that the paper prints for this case, in its seconds. */
    static final Map<String, Double> PAPER = Map.of("total-without", 0.680816, "total-with", 0.556446);

    private final Cases values = new Cases();
    private final Set<Workload> measured = new HashSet<>();

    /** Adds what the client has answered: the seconds of each metric. */
    void add(Workload workload, String[] answer) {
        for (int i = 0; i < METRICS.length; i++) {
            values.add(key(workload, METRICS[i]), Double.parseDouble(answer[i]));
        }
        double transfer = Double.parseDouble(answer[0]);
        double saved = Double.parseDouble(answer[4]) - Double.parseDouble(answer[1]);
        double slower = Double.parseDouble(answer[5]) - Double.parseDouble(answer[2]); // d1, of the call that waits
        values.add(key(workload, "gain"), saved / transfer);
        values.add(key(workload, "hidden"), (saved - slower) / transfer);
        measured.add(workload);
    }

    /** Whether anything is known of a case. */
    boolean has(Workload workload) {
        return measured.contains(workload);
    }

    Stream<Measurement> measurements(Workload workload) {
        double transfer = median(workload, "transfer");
        double ideal = Math.min(1, median(workload, "d1-without") / transfer);
        Stream<Measurement> times =
                Stream.of(METRICS).map(metric -> figure(workload, metric, "s", null));
        return Stream.concat(
                times,
                Stream.of(
                        figure(workload, "gain", "ratio", ideal),
                        figure(workload, "hidden", "ratio", ideal),
                        new Measurement(
                                "later",
                                workload.label(),
                                Figures.SCALE,
                                workload.scale(),
                                "s of the paper/s",
                                null,
                                null)));
    }

    private double median(Workload workload, String metric) {
        return values.median(key(workload, metric));
    }

    private Measurement figure(Workload workload, String metric, String unit, @Nullable Double ideal) {
        Double paper = workload.equals(PRINTED) ? PAPER.get(metric) : null;
        return new Measurement("later", workload.label(), metric, median(workload, metric), unit, paper, ideal)
                .spread(values.spread(key(workload, metric)));
    }

    private static String key(Workload workload, String metric) {
        return workload.label() + " " + metric;
    }
}
