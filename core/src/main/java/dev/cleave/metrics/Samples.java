package dev.cleave.metrics;

import dev.cleave.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes and prints {@link MetricValue}s. */
public final class Samples {

    private Samples() {}

    /** The bounds of the process that are in use, and what it has refused: those of {@link Meter} and {@link Refusals}. */
    public static List<MetricValue> ofProcess() {
        List<MetricValue> all = new ArrayList<>();
        Meter.all().forEach((name, meter) -> {
            all.add(MetricValue.gauge("cleave.bound.used", "The amount of a bound that is in use.", meter.used())
                    .with("bound", name));
            all.add(MetricValue.gauge("cleave.bound.limit", "The bound.", meter.limit())
                    .with("bound", name));
        });
        Refusals.counts()
                .forEach((reason, count) ->
                        all.add(MetricValue.counter("cleave.refusals", "Peers and messages that were refused.", count)
                                .with("reason", reason)));
        return all;
    }

    /** Prints values in the text format of Prometheus, version 0.0.4: those of one name behind one another. */
    public static String prometheus(List<MetricValue> samples) {
        Map<String, List<MetricValue>> byName = new LinkedHashMap<>();
        samples.forEach(each ->
                byName.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each));
        StringBuilder text = new StringBuilder();
        byName.forEach((name, all) -> {
            MetricValue first = all.get(0);
            boolean counts = first.kind() == MetricValue.Kind.COUNTER;
            String printed = name.replaceAll("[^a-zA-Z0-9_]", "_") + (counts ? "_total" : "");
            text.append("# HELP ")
                    .append(printed)
                    .append(' ')
                    .append(escaped(first.help(), false))
                    .append('\n');
            text.append("# TYPE ").append(printed).append(counts ? " counter\n" : " gauge\n");
            for (MetricValue each : all) {
                text.append(printed)
                        .append(tags(each.tags()))
                        .append(' ')
                        .append(number(each.value()))
                        .append('\n');
            }
        });
        return text.toString();
    }

    private static String tags(Map<String, String> tags) {
        if (tags.isEmpty()) {
            return "";
        }
        List<String> all = new ArrayList<>();
        new TreeMap<>(tags)
                .forEach(
                        (name, of) -> all.add(name.replaceAll("[^a-zA-Z0-9_]", "_") + "=\"" + escaped(of, true) + '"'));
        return "{" + String.join(",", all) + "}";
    }

    private static String escaped(String text, boolean quotes) {
        String plain = Printable.line(text).replace("\\", "\\\\");
        return quotes ? plain.replace("\"", "\\\"") : plain;
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
