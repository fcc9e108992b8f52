package dev.cleave.broker.cli;

import dev.cleave.broker.cli.AdminFigures.Figure;
import dev.cleave.broker.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes tables of what processes do: while they run, of the time since the last table; at the end, of the whole run. Not
 * thread-safe.
 */
final class LiveTable {

    private static final String NOTHING = "-";
    private static final int MOST_ROWS = 16; // with more, services that are not called have none

    private final Map<String, Map<String, Double>> before = new TreeMap<>(); // by process; counters by their names
    private long at;

    /**
     * Returns the table of the time since the last one, a row for each service of a process and one for each client; empty at first.
     *
     * @param figures of the processes, by their names
     * @param now nanoseconds of any clock
     */
    List<String> since(Map<String, List<Figure>> figures, long now) {
        double seconds = (now - at) / 1e9;
        boolean isFirst = at == 0;
        at = now;
        TextTable table =
                new TextTable("process", "service", "calls/s", "queue", "p50 ms", "p99 ms", "busy", "overlap");
        boolean isLong = figures.values().stream()
                        .flatMap(List::stream)
                        .filter(each -> each.name().equals("cleave_service_calls_total") && each.value() > 0)
                        .count()
                > MOST_ROWS;
        double[] total = new double[1];
        boolean[] rows = new boolean[1];
        figures.forEach((process, all) -> {
            Map<String, Double> old = before.getOrDefault(process, Map.of());
            Map<String, Double> counters = counters(all);
            before.put(process, counters);
            String queue = whole(sum(all, "cleave_server_queued_calls"));
            for (Figure calls : all) {
                String service = calls.tags().get("service");
                double made = grown("calls " + service, old, counters);
                if (!calls.name().equals("cleave_service_calls_total")
                        || service == null
                        || calls.value() == 0
                        || made == 0 && isLong) {
                    continue;
                }
                double worked = grown("seconds " + service, old, counters);
                total[0] += made / seconds;
                rows[0] = true;
                table.add(
                        process,
                        service,
                        made == 0 ? "0" : rate(made / seconds),
                        queue,
                        millis(all, service, "0.5"),
                        millis(all, service, "0.99"),
                        percent(worked / seconds),
                        NOTHING);
                queue = "";
            }
            double pending = sum(all, "cleave_client_pending_calls");
            double ahead = grown("overlapped", old, counters);
            double blocked = grown("blocked", old, counters);
            if (pending > 0 || ahead + blocked > 0) {
                table.add(
                        process,
                        "(calls that it makes)",
                        ahead + blocked == 0 ? NOTHING : rate(grown("sent", old, counters) / seconds),
                        whole(pending),
                        NOTHING,
                        NOTHING,
                        NOTHING,
                        ahead + blocked == 0 ? NOTHING : percent(ahead / (ahead + blocked)));
            }
        });
        if (isFirst || !rows[0]) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("all services: " + rate(total[0]) + " calls/s");
        return lines;
    }

    /** Returns the table of a run that has ended, and its overhead; empty if there were no calls. */
    static List<String> ofRun(Map<String, List<Figure>> figures) {
        TextTable table = new TextTable("process", "service", "calls", "mean ms", "p50 ms", "p99 ms", "overhead");
        double[] span = new double[1];
        double[] worked = new double[1];
        figures.forEach((process, all) -> {
            for (Figure calls : all) {
                String service = calls.tags().get("service");
                if (calls.name().equals("cleave_service_calls_total") && service != null && calls.value() > 0) {
                    double seconds = of(all, "cleave_service_method_seconds_total", service);
                    double lasted = of(all, "cleave_service_span_seconds_total", service);
                    span[0] += lasted;
                    worked[0] += Math.min(seconds, lasted);
                    table.add(
                            process,
                            service,
                            whole(calls.value()),
                            number(seconds / calls.value() * 1e3),
                            millis(all, service, "0.5"),
                            millis(all, service, "0.99"),
                            percent(1 - Math.min(1, seconds / lasted)));
                }
            }
        });
        if (span[0] == 0) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("overhead: " + percent(1 - worked[0] / span[0])
                + " of the time from the first call to the end of the last no method ran (mean of the replicas)");
        return lines;
    }

    private static Map<String, Double> counters(List<Figure> all) {
        Map<String, Double> counters = new TreeMap<>();
        for (Figure each : all) {
            String name =
                    switch (each.name()) {
                        case "cleave_service_calls_total" ->
                            "calls " + each.tags().get("service");
                        case "cleave_service_method_seconds_total" ->
                            "seconds " + each.tags().get("service");
                        case "cleave_sites_overlapped_seconds_total" -> "overlapped";
                        case "cleave_sites_blocked_seconds_total" -> "blocked";
                        case "cleave_sites_sends_total", "cleave_sites_declined_total" -> "sent";
                        default -> "";
                    };
            counters.merge(name, each.value(), Double::sum);
        }
        return counters;
    }

    /** By how much a counter has grown; one that is less than before has begun anew. */
    private static double grown(String name, Map<String, Double> old, Map<String, Double> now) {
        double value = now.getOrDefault(name, 0.0);
        double last = old.getOrDefault(name, 0.0);
        return value < last ? value : value - last;
    }

    private static double sum(List<Figure> all, String name) {
        return all.stream()
                .filter(each -> each.name().equals(name))
                .mapToDouble(Figure::value)
                .sum();
    }

    private static double of(List<Figure> all, String name, String service) {
        return all.stream()
                .filter(each ->
                        each.name().equals(name) && service.equals(each.tags().get("service")))
                .mapToDouble(Figure::value)
                .sum();
    }

    private static String millis(List<Figure> all, String service, String quantile) {
        Optional<Figure> found = all.stream()
                .filter(each -> each.name().equals("cleave_service_seconds")
                        && service.equals(each.tags().get("service"))
                        && quantile.equals(each.tags().get("quantile")))
                .findFirst();
        return found.isEmpty() || found.get().value() == 0
                ? NOTHING
                : number(found.get().value() * 1e3);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    private static String rate(double value) {
        return value >= 100 ? whole(value) : number(value);
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
