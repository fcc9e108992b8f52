package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report as one JSON object.
 *
 * <p>{@code summary} counts the verdicts. {@code sites} has an object for each remote call: {@code class}, {@code method},
 * {@code line}, {@code call}, {@code helper} (it is the call of a helper, and counted where the helper makes it), {@code verdict},
 * {@code window} (null as well if it is automatic), and {@code rule}, {@code reason}, {@code blocking_line},
 * {@code advice} of a refusal, {@code word}, the annotation that would free it, and {@code with_word}, the verdict that
 * it would give. {@code nests} has an object for each nest whose calls strands send: {@code class}, {@code method}, {@code line},
 * {@code recursion}, the length of its {@code critical_path} in calls, {@code steps} with the {@code place}, {@code line}, {@code call} and
 * {@code depth} of each call, whether it {@code follows} others of its place, and the calls it {@code waits_for}, and the {@code change}
 * that would shorten the path most. {@code run} has the counters of each call that was reached. {@code overhead} has the time that
 * calls cost the program ({@link Overhead}): {@code at_most_percent} of {@code span_ns}, and {@code blocked_ns}. A value that is unknown or does not apply
 * is null; no key is ever left out.
 */
final class JsonReport {

    private JsonReport() {}

    static String write(Report report) {
        JsonWriter json = new JsonWriter().beginObject();
        Tally tally = Tally.of(report.methods());
        json.name("summary").beginObject();
        json.name("calls").value(tally.calls()).name("classes").value(tally.classes());
        for (Verdict.Outcome outcome : Verdict.Outcome.values()) {
            json.name(Wording.of(outcome)).value(tally.counts().getOrDefault(outcome, 0));
        }
        json.endObject().name("sites").beginArray();
        report.byClass().values().forEach(methods -> methods.forEach(method -> sites(json, method)));
        json.endArray().name("nests").beginArray();
        report.byClass().values().forEach(methods -> methods.forEach(method -> nests(json, method)));
        json.endArray().name("run").beginArray();
        report.figures().forEach(site -> figures(json, site));
        json.endArray().name("overhead");
        overhead(json, report.overhead());
        json.name("notes").beginArray();
        report.notes().forEach(json::value);
        return json.endArray().endObject().toString();
    }

    private static void sites(JsonWriter json, MethodVerdicts method) {
        for (Verdict verdict : method.verdicts()) {
            Refusal refusal = verdict.refusal();
            json.beginObject();
            json.name("class").value(method.type()).name("method").value(method.method());
            json.name("line").line(verdict.line()).name("call").value(verdict.call());
            json.name("helper").flag(verdict.isHelpers());
            json.name("verdict").value(Wording.of(verdict.outcome())).name("window");
            if (Wording.hasWindow(verdict.outcome()) && !Wording.isAutomatic(verdict.window())) {
                json.value(verdict.window());
            } else {
                json.value(null);
            }
            json.name("rule").value(refusal == null ? null : refusal.rule().name());
            json.name("reason").value(refusal == null ? null : refusal.reason());
            json.name("blocking_line").line(refusal == null ? -1 : refusal.line());
            json.name("advice").value(refusal == null || refusal.advice().isEmpty() ? null : refusal.advice());
            Remedy remedy = verdict.remedy();
            json.name("word").value(remedy == null ? null : remedy.word());
            json.name("with_word").value(remedy == null ? null : Wording.of(remedy));
            json.endObject();
        }
    }

    private static void nests(JsonWriter json, MethodVerdicts method) {
        for (Verdict verdict : method.verdicts()) {
            Overlap overlap = verdict.overlap();
            if (overlap == null) {
                continue;
            }
            json.beginObject();
            json.name("class").value(method.type()).name("method").value(method.method());
            json.name("line").line(overlap.line()).name("recursion").flag(overlap.shape() == Overlap.Shape.RECURSION);
            json.name("critical_path").value(overlap.length()).name("steps").beginArray();
            for (Overlap.Step step : overlap.steps()) {
                json.beginObject();
                json.name("place").value(step.place()).name("line").line(step.line());
                json.name("call").value(step.call()).name("depth").value(step.depth());
                json.name("follows").flag(step.follows()).name("waits_for").beginArray();
                step.waitsFor().forEach(json::value);
                json.endArray().endObject();
            }
            json.endArray();
            String change = new NestView(overlap, List.of()).change();
            json.name("change").value(change.isEmpty() ? null : change);
            json.endObject();
        }
    }

    private static void overhead(JsonWriter json, @Nullable Overhead overhead) {
        if (overhead == null) {
            json.value(null);
            return;
        }
        json.beginObject();
        json.name("at_most_percent").value(overhead.percent());
        json.name("span_ns").value(overhead.spanNanos()).name("blocked_ns").value(overhead.blockedNanos());
        json.endObject();
    }

    private static void figures(JsonWriter json, SiteFigures site) {
        json.beginObject();
        json.name("place").value(site.place()).name("line").line(site.line());
        json.name("call").value(site.call());
        json.name("sent").value(site.sends()).name("awaited").value(site.awaits());
        json.name("given_up").value(site.discards()).name("as_written").value(site.declined());
        json.name("blocked_ns").value(site.blockedNanos());
        json.name("overlapped_ns").value(site.overlappedNanos());
        json.name("in_flight").value(site.maxInFlight());
        json.name("stayed").value(site.stayed()).name("stayed_bytes").value(site.stayedBytes());
        json.name("spared_bytes").value(site.sparedBytes());
        json.name("note").value(site.note().isEmpty() ? null : site.note());
        json.endObject();
    }
}
