package dev.cleave.agent.report;

import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The report as one page of HTML that needs no other file: for screens, phones and print, by day and by night. */
final class HtmlReport {

    private static final String STYLE = "report.css";

    private final StringBuilder page = new StringBuilder();

    private HtmlReport() {}

    static String write(Report report) {
        HtmlReport html = new HtmlReport();
        Tally tally = Tally.of(report.methods());
        html.head(tally);
        html.bar(tally);
        report.notes().forEach(note -> html.add("<p class=\"note\">" + escape(note) + "</p>\n"));
        if (!report.figures().isEmpty()) {
            html.run(report.figures());
        }
        report.byClass().forEach(html::type);
        html.add("</main></body></html>\n");
        return html.page.toString();
    }

    private void head(Tally tally) {
        add("""
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>Cleave: %s</title>
                <style>
                """.formatted(escape(tally.sentence())));
        add(style());
        add("</style></head><body><main>\n<h1>Cleave: what became of the remote calls</h1>\n");
        add("<p class=\"lead\">" + escape(headline(tally)) + "</p>\n");
    }

    private static String headline(Tally tally) {
        if (tally.calls() == 0) {
            return "There are no remote calls.";
        }
        return tally.calls()
                + (tally.calls() == 1 ? " call in " : " calls in ")
                + tally.classes()
                + (tally.classes() == 1 ? " class" : " classes");
    }

    private void bar(Tally tally) {
        if (tally.calls() == 0) {
            return;
        }
        add("<div class=\"bar\" role=\"img\" aria-label=\"" + escape(tally.sentence()) + "\">");
        tally.counts()
                .forEach((outcome, count) ->
                        add("<i class=\"" + Wording.of(outcome) + "\" style=\"flex-grow:" + count + "\"></i>"));
        add("</div>\n<ul class=\"legend\">");
        tally.counts()
                .forEach((outcome, count) -> add("<li><i class=\"" + Wording.of(outcome) + "\"></i><b>" + count
                        + "</b> " + Wording.of(outcome) + "</li>"));
        add("</ul>\n");
    }

    private void type(String type, List<MethodVerdicts> methods) {
        int simple = type.lastIndexOf('.') + 1;
        add("<section>\n<h2><span>" + escape(type.substring(0, simple)) + "</span><wbr>"
                + escape(type.substring(simple)) + "</h2>\n<table class=\"calls\">\n"
                + "<thead><tr><th class=\"line\">line</th><th>call</th><th>verdict</th><th>why</th></tr></thead>\n");
        for (MethodVerdicts method : methods) {
            add("<tbody>\n<tr class=\"method\"><th colspan=\"4\" scope=\"rowgroup\">" + escape(method.method())
                    + "()</th></tr>\n");
            method.verdicts().forEach(this::verdict);
            add("</tbody>\n");
        }
        add("</table>\n</section>\n");
    }

    private void verdict(Verdict verdict) {
        add("<tr><td class=\"line\">" + Wording.line(verdict.line()) + "</td><td class=\"call\">"
                + breakable(verdict.call()) + "</td><td class=\"verdict\"><span class=\"badge "
                + Wording.of(verdict.outcome()) + "\">" + Wording.of(verdict) + "</span></td><td class=\"why\">");
        Refusal refusal = verdict.refusal();
        if (refusal != null) {
            String where =
                    Wording.isElsewhere(refusal, verdict) ? "<b class=\"at\">line " + refusal.line() + "</b> " : "";
            add("<p><span class=\"rule\">" + escape(refusal.rule()) + "</span> " + where + breakable(refusal.reason())
                    + "</p>");
            if (!refusal.advice().isEmpty()) {
                add("<p class=\"free\"><b>To free it:</b> " + escape(refusal.advice()) + "</p>");
            }
        }
        add("</td></tr>\n");
    }

    private void run(List<SiteFigures> figures) {
        add(
                "<section>\n<h2>In this run</h2>\n<ul class=\"legend\"><li><i class=\"blocked\"></i>blocked: the program waited"
                        + "</li><li><i class=\"overlapped\"></i>overlapped: the call was under way while the program went on</li>"
                        + "</ul>\n<table class=\"run\">\n<thead><tr><th>call</th><th class=\"time\">blocked and overlapped</th>"
                        + "<th class=\"n\">sent</th><th class=\"n\">awaited</th><th class=\"n\">given up</th>"
                        + "<th class=\"n\">as written</th><th class=\"n\">most in flight</th></tr></thead>\n<tbody>\n");
        figures.forEach(this::figures);
        add("</tbody>\n</table>\n</section>\n");
    }

    private void figures(SiteFigures site) {
        add("<tr><td class=\"site\"><b>" + breakable(site.call()) + "</b><br>" + breakable(site.place()) + ":"
                + Wording.line(site.line())
                + (site.note().isEmpty() ? "" : "<br>no longer sent: " + escape(site.note()))
                + "</td><td class=\"time\"><div class=\"bar\" aria-hidden=\"true\">"
                + part("blocked", site.blockedNanos()) + part("overlapped", site.overlappedNanos())
                + "</div><span class=\"blocked\">" + Wording.millis(site.blockedNanos())
                + "</span><span class=\"overlapped\">" + Wording.millis(site.overlappedNanos()) + "</span></td>");
        number("sent", site.sends());
        number("awaited", site.awaits());
        number("given up", site.discards());
        number("as written", site.declined());
        number("most in flight", site.maxInFlight());
        add("</tr>\n");
    }

    private static String part(String name, long nanos) {
        return nanos <= 0 ? "" : "<i class=\"" + name + "\" style=\"flex-grow:" + nanos / 1000 + "\"></i>";
    }

    private void number(String name, long value) {
        add("<td class=\"n\" data-name=\"" + name + "\">" + String.format(Locale.ROOT, "%,d", value) + "</td>");
    }

    private void add(String html) {
        page.append(html);
    }

    /** Text in which a line may end behind a dot. */
    private static String breakable(String text) {
        return escape(text).replaceAll("\\.(?=\\w)", ".<wbr>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream(STYLE)) {
            if (in == null) {
                throw new IllegalStateException(STYLE + ": not in the agent's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
