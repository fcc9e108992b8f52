package dev.cleave.agent.report;

import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The report as text: what became of each remote call and why, then what the calls did in this run.
 *
 * <pre>
 * cleave: 3 remote calls in 1 class: 1 pipelined, 1 split, 1 sequential
 *
 * com.shop.Search
 *   best()
 *     41  Compare.score  pipelined(64)
 *     57  Stock.level    sequential     R37, line 58: whether the loop goes on is open: ...
 *                                       to free it: ...
 * </pre>
 */
public final class TextReport {

    private static final int COUNTERS = 10;

    private TextReport() {}

    /**
     * Writes the report.
     *
     * @param methods what was decided
     * @param counters a line for each call that was reached, values separated by tabs: place, line, call, sends, awaits,
     *     discards, declined, nanoseconds blocked, nanoseconds overlapped, most in flight
     */
    public static String write(List<MethodVerdicts> methods, List<String> counters) {
        StringBuilder text = new StringBuilder(summary(methods)).append('\n');
        Map<String, List<MethodVerdicts>> byType = new TreeMap<>();
        for (MethodVerdicts method : methods) {
            byType.computeIfAbsent(method.type(), type -> new ArrayList<>()).add(method);
        }
        Columns columns = new Columns("lrlll");
        byType.forEach((type, of) -> {
            for (MethodVerdicts method : of) {
                for (Verdict verdict : method.verdicts()) {
                    addVerdict(columns, verdict);
                }
            }
        });
        List<String> lines = new ArrayList<>(columns.text("  ").lines().toList());
        byType.forEach((type, of) -> {
            text.append('\n').append(type).append('\n');
            for (MethodVerdicts method : of) {
                text.append("  ").append(method.method()).append("()\n");
                for (Verdict verdict : method.verdicts()) {
                    text.append(lines.remove(0)).append('\n');
                    if (verdict.refusal() != null && !verdict.refusal().advice().isEmpty()) {
                        text.append(lines.remove(0)).append('\n');
                    }
                }
            }
        });
        text.append(run(counters));
        return text.toString();
    }

    private static String summary(List<MethodVerdicts> methods) {
        int[] counts = new int[Verdict.Outcome.values().length];
        int all = 0;
        for (MethodVerdicts method : methods) {
            for (Verdict verdict : method.verdicts()) {
                counts[verdict.outcome().ordinal()]++;
                all++;
            }
        }
        long types = methods.stream().map(MethodVerdicts::type).distinct().count();
        return "cleave: " + all + (all == 1 ? " remote call in " : " remote calls in ") + types
                + (types == 1 ? " class: " : " classes: ") + counts[Verdict.Outcome.PIPELINED.ordinal()]
                + " pipelined, "
                + counts[Verdict.Outcome.SPLIT.ordinal()] + " split, "
                + counts[Verdict.Outcome.SEQUENTIAL.ordinal()] + " sequential";
    }

    private static void addVerdict(Columns columns, Verdict verdict) {
        String line = verdict.line() < 0 ? "?" : String.valueOf(verdict.line());
        String outcome = verdict.outcome().name().toLowerCase(Locale.ROOT);
        if (verdict.outcome() == Verdict.Outcome.PIPELINED) {
            outcome += "(" + verdict.window() + ")";
        }
        Refusal refusal = verdict.refusal();
        if (refusal == null) {
            columns.add("", line, verdict.call(), outcome, "");
            return;
        }
        String where = refusal.line() < 0 || refusal.line() == verdict.line() ? "" : ", line " + refusal.line();
        columns.add("", line, verdict.call(), outcome, refusal.rule() + where + ": " + refusal.reason());
        if (!refusal.advice().isEmpty()) {
            columns.add("", "", "", "", "to free it: " + refusal.advice());
        }
    }

    private static String run(List<String> counters) {
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
        boolean any = false;
        for (String counter : counters) {
            String[] cells = counter.split("\t");
            if (cells.length == COUNTERS) {
                cells[7] = millis(cells[7]);
                cells[8] = millis(cells[8]);
                columns.add(cells);
                any = true;
            }
        }
        return any ? "\nin this run\n" + columns.text("  ") : "";
    }

    private static String millis(String nanos) {
        return String.format(Locale.ROOT, "%.1f ms", Long.parseLong(nanos) / 1e6);
    }
}
