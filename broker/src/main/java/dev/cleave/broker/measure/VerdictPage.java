package dev.cleave.broker.measure;

import java.util.List;
import java.util.Locale;

/** Writes a page that shows for each parameter the times of a call without and with {@code @Later}, as bars. */
public final class VerdictPage {

    private static final int WIDE = 640;
    private static final int LEFT = 90;
    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>Cleave: later arguments</title>
        <style>
          body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
          h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .2rem } p { margin: .2rem 0; color: #55606e }
          svg { width: 100%; height: auto } text { font: 13px system-ui, sans-serif; fill: #1c2430 }
          .transfer { fill: #c9a227 } .before { fill: #2563a8 } .wait { fill: #d9dee5 } .behind { fill: #8fb8de }
          .key span { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; border-radius: 2px }
        </style></head><body>
        <h1>Cleave: do later arguments pay?</h1>
        <p class="key"><span style="background:#c9a227"></span>transfer<span style="background:#2563a8"></span>d1, without
        the argument<span style="background:#d9dee5"></span>waiting<span style="background:#8fb8de"></span>d2, the rest</p>
        """;

    private VerdictPage() {}

    /** Returns the page. */
    public static String of(List<LaterPayoff> verdicts) {
        StringBuilder page = new StringBuilder(HEAD);
        for (LaterPayoff verdict : verdicts) {
            page.append("<h2>").append(escape(verdict.place())).append("</h2>\n<p>");
            page.append(escape(verdict.sentence())).append("</p>\n").append(bars(verdict));
        }
        return page.append("</body></html>\n").toString();
    }

    private static String bars(LaterPayoff verdict) {
        double scale = WIDE / Math.max(verdict.without(), Math.max(verdict.with(), Double.MIN_NORMAL));
        double waiting = Math.max(0, verdict.with() - verdict.before() - verdict.behind());
        return format("<svg viewBox=\"0 0 %d 92\" role=\"img\">%n", LEFT + WIDE + 90)
                + row(
                        "without",
                        4,
                        verdict.without(),
                        scale,
                        "transfer",
                        verdict.transfer(),
                        "before",
                        verdict.before(),
                        "behind")
                + row("with", 40, verdict.with(), scale, "before", verdict.before(), "wait", waiting, "behind")
                + bar("transfer", LEFT, 62, verdict.transfer() * scale, 8)
                + "</svg>\n";
    }

    private static String row(
            String name,
            int top,
            double total,
            double scale,
            String first,
            double firstMillis,
            String second,
            double secondMillis,
            String last) {
        double between = LEFT + firstMillis * scale;
        double behind = between + secondMillis * scale;
        double end = LEFT + total * scale;
        return format("<text x=\"0\" y=\"%d\">%s</text>%n", top + 14, name)
                + bar(first, LEFT, top, firstMillis * scale, 20)
                + bar(second, between, top, secondMillis * scale, 20)
                + bar(last, behind, top, Math.max(0, end - behind), 20)
                + format("<text x=\"%.1f\" y=\"%d\">%.3g ms</text>%n", end + 6, top + 14, total);
    }

    private static String bar(String kind, double left, int top, double width, int height) {
        return format(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                kind, left, top, width, height);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
