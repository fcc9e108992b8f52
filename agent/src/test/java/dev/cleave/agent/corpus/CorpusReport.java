package dev.cleave.agent.corpus;

import dev.cleave.agent.report.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a corpus has shown, as text and as JSON. */
record CorpusReport(int jars, String style, Tally tally, Tally followed, List<JdkRun> runs) {

    private static final int REASONS = 20;

    boolean isClean() {
        return failures().isEmpty()
                && runs.stream().allMatch(run -> run.failures().isEmpty());
    }

    private List<String> failures() {
        List<String> all = new ArrayList<>(tally.failures());
        all.addAll(followed.failures());
        return all;
    }

    /** What became of one jar, on one line. */
    static String line(int number, int jars, String name, Tally tally, Tally followed, List<JdkRun> runs) {
        StringBuilder failing = new StringBuilder();
        runs.forEach(run -> failing.append(failing.isEmpty() ? "" : "+")
                .append(run.failures().size()));
        return String.format(
                Locale.ROOT,
                "%3d/%d  %-42s %6d classes %7d calls %6d in loops, %5d overlap (%s), %5d independent, %5d overlap (%s)"
                        + "  %s new link errors, %d failures, %.1f s",
                number,
                jars,
                name,
                tally.classes(),
                tally.sites(),
                tally.inLoop(),
                tally.inLoopOverlapping(),
                percent(tally.inLoopOverlapping(), tally.inLoop()),
                tally.independent(),
                tally.independentOverlapping(),
                percent(tally.independentOverlapping(), tally.independent()),
                failing,
                tally.failures().size() + followed.failures().size(),
                tally.millis() / 1000.0);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%n%d jars, %d classes, %d changed, in %d ms",
                jars,
                tally.classes(),
                tally.changed(),
                tally.millis());
        line(text, "calls taken as @%s: %d, %d overlap", style, tally.sites(), tally.overlapping());
        line(
                text,
                "in loops: %d, %d overlap (%s)",
                tally.inLoop(),
                tally.inLoopOverlapping(),
                percent(tally.inLoopOverlapping(), tally.inLoop()));
        line(
                text,
                "of those that depend on no result by locals: %d, %d overlap (%s)",
                tally.independent(),
                tally.independentOverlapping(),
                percent(tally.independentOverlapping(), tally.independent()));
        tally.outcomes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> line(text, "  %-12s %7d", entry.getKey().toLowerCase(Locale.ROOT), entry.getValue()));
        line(
                text,
                "implemented interfaces followed: %d calls, %d overlap, %d classes changed, in %d ms",
                followed.sites(),
                followed.overlapping(),
                followed.changed(),
                followed.millis());
        line(text, "%nwhy calls in loops stay sequential, and how many of them depend on no result by locals");
        tally.reasons().stream()
                .limit(REASONS)
                .forEach(entry -> line(
                        text, "  %7d %7d  %s", entry.getValue(), tally.independent(entry.getKey()), entry.getKey()));
        line(text, "");
        for (JdkRun run : runs) {
            line(
                    text,
                    "%s: %d classes linked, %d fail only when rewritten",
                    run.jdk(),
                    run.linked(),
                    run.failures().size());
            run.failures().forEach(failure -> line(text, "  %s", failure));
        }
        line(text, "failures of the rewriting: %d", failures().size());
        failures().forEach(failure -> line(text, "  %s", failure));
        return text.toString();
    }

    String json() {
        JsonWriter json = new JsonWriter().beginArray();
        record(json, "classes", tally.classes());
        record(json, "changed", tally.changed());
        record(json, "calls", tally.sites());
        record(json, "calls-overlapping", tally.overlapping());
        record(json, "in-loop", tally.inLoop());
        record(json, "in-loop-overlapping", tally.inLoopOverlapping());
        record(json, "independent", tally.independent());
        record(json, "independent-overlapping", tally.independentOverlapping());
        record(json, "followed-calls", followed.sites());
        record(json, "followed-calls-overlapping", followed.overlapping());
        record(json, "rewriting-failures", failures().size());
        for (JdkRun run : runs) {
            record(
                    json,
                    "new-link-errors/" + run.jdk().getFileName(),
                    run.failures().size());
        }
        tally.reasons().forEach(entry -> record(json, "refused/" + entry.getKey(), entry.getValue()));
        return json.endArray().toString();
    }

    private void record(JsonWriter json, String metric, long value) {
        json.beginObject();
        json.name("corpus").value(style);
        json.name("metric").value(metric);
        json.name("value").value(value);
        json.name("unit").value("count");
        json.endObject();
    }

    private static String percent(int part, int whole) {
        return whole == 0 ? "none" : Math.round(100.0 * part / whole) + " %";
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
