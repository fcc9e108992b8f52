package dev.cleave.broker.measure;

import dev.cleave.broker.report.BarChart;
import dev.cleave.broker.report.BarChart.Bar;
import dev.cleave.broker.report.BarChart.Piece;
import dev.cleave.broker.report.HtmlPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a page that shows for each parameter the times of a call without and with {@code @Later}, as bars. */
public final class VerdictPage {

    private static final String TRANSFER = "gold";
    private static final String BEFORE = "ours";
    private static final String WAIT = "pale";
    private static final String BEHIND = "light";

    private VerdictPage() {}

    /** Returns the page. */
    public static String of(List<LaterPayoff> verdicts) {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(TRANSFER, "transfer");
        meanings.put(BEFORE, "d1, without the argument");
        meanings.put(WAIT, "waiting");
        meanings.put(BEHIND, "d2, the rest");
        HtmlPage page = new HtmlPage("Cleave: do later arguments pay?", false).legend(meanings);
        for (LaterPayoff verdict : verdicts) {
            page.heading(verdict.place())
                    .paragraph(verdict.sentence())
                    .add(BarChart.svg(bars(verdict), BarChart.ALONE));
        }
        return page.toString();
    }

    private static List<Bar> bars(LaterPayoff verdict) {
        double rest = Math.max(0, verdict.without() - verdict.transfer() - verdict.before());
        double waiting = Math.max(0, verdict.with() - verdict.before() - verdict.behind());
        double last = Math.max(0, verdict.with() - verdict.before() - waiting);
        return List.of(
                bar(
                        "without",
                        verdict.without(),
                        new Piece(TRANSFER, verdict.transfer()),
                        new Piece(BEFORE, verdict.before()),
                        new Piece(BEHIND, rest)),
                bar(
                        "with",
                        verdict.with(),
                        new Piece(BEFORE, verdict.before()),
                        new Piece(WAIT, waiting),
                        new Piece(BEHIND, last)),
                Bar.of("", TRANSFER, verdict.transfer(), ""));
    }

    private static Bar bar(String label, double millis, Piece... pieces) {
        return new Bar(label, List.of(pieces), 0, String.format(Locale.ROOT, "%.3g ms", millis), "");
    }
}
