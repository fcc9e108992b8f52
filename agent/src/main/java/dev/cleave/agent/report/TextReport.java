package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the report as text: the verdict on each remote call with its reason, then the counters of the run.
 *
 * <pre>
 * cleave: 3 remote calls in 1 class: 1 split, 1 pipelined, 1 sequential
 *
 * com.shop.Search
 *   best()
 *     41  Compare.score  pipelined(64)
 *     57  Stock.level    sequential     R37, line 58: whether the loop goes on is open: ...
 *                                       to free it: ...
 *                                       with @Pure: prefetched(64)
 *     nest at line 40: 2 calls, critical path of 2 calls
 *       #.  40  Orders.ids
 *       .#  41  Compare.score  waits for Orders.ids
 *       to shorten it: line 41, Compare.score: ...
 * </pre>
 */
final class TextReport {

    private static final int MOST_WORDS = 5;

    private TextReport() {}

    static String write(Report report) {
        StringBuilder text = new StringBuilder(report.summary()).append('\n');
        HelpfulWord.in(report.methods()).stream()
                .limit(MOST_WORDS)
                .forEach(word -> text.append(Plain.line(word.sentence())).append('\n'));
        report.notes().forEach(note -> text.append(Plain.line(note)).append('\n'));
        Columns columns = new Columns("lrlll");
        report.byClass()
                .values()
                .forEach(methods ->
                        methods.forEach(method -> method.verdicts().forEach(verdict -> addVerdict(columns, verdict))));
        Deque<String> lines = new ArrayDeque<>(columns.text("  ").lines().toList());
        report.byClass().forEach((type, methods) -> {
            text.append('\n').append(Plain.line(type)).append('\n');
            for (MethodVerdicts method : methods) {
                text.append("  ").append(Plain.line(method.method())).append("()\n");
                for (Verdict verdict : method.verdicts()) {
                    for (int i = 0; i < height(verdict); i++) {
                        text.append(lines.remove()).append('\n');
                    }
                }
                method.verdicts().forEach(verdict -> text.append(nest(verdict.overlap(), report.figures())));
            }
        });
        return text.append(run(report.figures(), report.overhead())).toString();
    }

    private static String nest(@Nullable Overlap overlap, List<SiteFigures> figures) {
        if (overlap == null) {
            return "";
        }
        NestView nest = new NestView(overlap, figures);
        Columns columns = new Columns("lrll");
        int length = overlap.length();
        for (Overlap.Step step : overlap.steps()) {
            String bar =
                    ".".repeat(step.depth() - 1) + (step.follows() ? '>' : '#') + ".".repeat(length - step.depth());
            columns.add(bar, Wording.line(step.line()), step.call(), NestView.waits(step));
        }
        String change = nest.change();
        return "    " + Plain.line(nest.title()) + '\n' + columns.text("      ")
                + (change.isEmpty() ? "" : "      to shorten it: " + Plain.line(change) + '\n');
    }

    private static int height(Verdict verdict) {
        return 1 + (hasAdvice(verdict.refusal()) ? 1 : 0) + (verdict.remedy() == null ? 0 : 1);
    }

    private static boolean hasAdvice(@Nullable Refusal refusal) {
        return refusal != null && !refusal.advice().isEmpty();
    }

    private static void addVerdict(Columns columns, Verdict verdict) {
        String line = Wording.line(verdict.line());
        Refusal refusal = verdict.refusal();
        if (refusal == null) {
            columns.add("", line, verdict.call(), Wording.of(verdict), "");
            return;
        }
        String where = Wording.isElsewhere(refusal, verdict) ? ", line " + refusal.line() : "";
        columns.add("", line, verdict.call(), Wording.of(verdict), refusal.rule() + where + ": " + refusal.reason());
        if (hasAdvice(refusal)) {
            columns.add("", "", "", "", "to free it: " + refusal.advice());
        }
        Remedy remedy = verdict.remedy();
        if (remedy != null) {
            columns.add("", "", "", "", "with " + remedy.word() + ": " + Wording.of(remedy));
        }
    }

    private static String run(List<SiteFigures> figures, @Nullable Overhead overhead) {
        String cost = overhead == null ? "" : overhead.sentence() + '\n';
        if (figures.isEmpty()) {
            return cost.isEmpty() ? "" : '\n' + cost;
        }
        Columns columns = new Columns("lrlrrrrrrr");
        columns.add(
                "place",
                "line",
                "call",
                "sent",
                "awaited",
                "given up",
                "as written",
                "blocked",
                "overlapped",
                "in flight");
        for (SiteFigures site : figures) {
            columns.add(
                    site.place(),
                    Wording.line(site.line()),
                    site.call(),
                    String.valueOf(site.sends()),
                    String.valueOf(site.awaits()),
                    String.valueOf(site.discards()),
                    String.valueOf(site.declined()),
                    site.timed(site.blockedNanos()),
                    site.timed(site.overlappedNanos()),
                    String.valueOf(site.maxInFlight()));
            if (site.stayed() > 0) {
                columns.add("", "", Wording.stayed(site), "", "", "", "", "", "", "");
            }
            if (site.sparedBytes() > 0) {
                columns.add("", "", Wording.spared(site), "", "", "", "", "", "", "");
            }
            if (!site.note().isEmpty()) {
                columns.add("", "", "no longer sent: " + site.note(), "", "", "", "", "", "", "");
            }
        }
        return "\nin this run\n" + columns.text("  ") + cost;
    }
}
