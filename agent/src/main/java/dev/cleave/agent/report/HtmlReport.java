package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the report as one page of HTML that needs no other file: for screens, phones and print, in a light and a dark
 * scheme.
 */
final class HtmlReport {

    private static final String STYLE = "report.css";
    private static final int FEW_CLASSES = 3;
    private static final int MOST_WORDS = 12;

    private final StringBuilder page = new StringBuilder();

    private final List<SiteFigures> figures;

    private HtmlReport(List<SiteFigures> figures) {
        this.figures = figures;
    }

    static String write(Report report) {
        HtmlReport html = new HtmlReport(report.figures());
        Tally tally = Tally.of(report.methods());
        html.head(tally);
        html.overview(tally);
        report.notes().forEach(note -> html.add("<p class=\"note\">" + escape(note) + "</p>\n"));
        html.words(HelpfulWord.in(report.methods()));
        if (!report.figures().isEmpty() || report.overhead() != null) {
            html.add(RunTable.write(report.figures(), report.overhead()));
        }
        Map<String, List<MethodVerdicts>> byClass = report.byClass();
        if (byClass.size() > FEW_CLASSES) {
            html.index(byClass);
        }
        byClass.forEach(html::type);
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

    /** Writes a bar of all verdicts, whose legend selects the verdicts that are shown below. */
    private void overview(Tally tally) {
        if (tally.calls() == 0) {
            return;
        }
        add(bar(tally));
        add(
                "<ul class=\"legend filter\"><li><label><input type=\"radio\" name=\"show\" id=\"show-all\" checked=\"checked\">"
                        + "<b>" + tally.calls() + "</b> all</label></li>");
        tally.counts().forEach((outcome, count) -> {
            String name = Wording.of(outcome);
            add("<li><label><input type=\"radio\" name=\"show\" id=\"show-" + name + "\"><i class=\"" + name
                    + "\"></i><b>" + count + "</b> " + name + "</label></li>");
        });
        add("</ul>\n");
    }

    private static String bar(Tally tally) {
        StringBuilder bar =
                new StringBuilder("<div class=\"bar\" role=\"img\" aria-label=\"" + escape(tally.sentence()) + "\">");
        tally.counts()
                .forEach((outcome, count) ->
                        bar.append("<i class=\"" + Wording.of(outcome) + "\" style=\"flex-grow:" + count + "\"></i>"));
        return bar.append("</div>\n").toString();
    }

    private void words(List<HelpfulWord> words) {
        if (words.isEmpty()) {
            return;
        }
        add(
                "<section class=\"words\">\n<h2>One word each</h2>\n<p class=\"lead\">If the word is true of the method, it frees"
                        + " these calls.</p>\n<table>\n<thead><tr><th class=\"n\">calls</th><th>remote method</th><th>word</th></tr>"
                        + "</thead>\n<tbody>\n");
        for (HelpfulWord word : words.subList(0, Math.min(words.size(), MOST_WORDS))) {
            add("<tr><td class=\"n\">" + word.calls() + "</td><td class=\"call\">" + breakable(word.call())
                    + "</td><td><code>" + escape(word.word()) + "</code></td></tr>\n");
        }
        add("</tbody>\n</table>\n");
        if (words.size() > MOST_WORDS) {
            add("<p class=\"lead\">and " + (words.size() - MOST_WORDS) + " more, each told at its call</p>\n");
        }
        add("</section>\n");
    }

    private void index(Map<String, List<MethodVerdicts>> byClass) {
        add("<section>\n<h2>Classes</h2>\n<ul class=\"index\">\n");
        byClass.forEach((type, methods) -> {
            Tally tally = Tally.of(methods);
            add("<li><a href=\"#" + escape(type) + "\">" + breakable(type) + "</a><span class=\"n\">" + tally.calls()
                    + "</span>" + bar(tally) + "</li>\n");
        });
        add("</ul>\n</section>\n");
    }

    private void type(String type, List<MethodVerdicts> methods) {
        int simple = type.lastIndexOf('.') + 1;
        add("<section class=\"type\" id=\"" + escape(type) + "\">\n<h2><span>" + breakable(type.substring(0, simple))
                + "</span><wbr>" + escape(type.substring(simple)) + "</h2>\n<table class=\"calls\">\n"
                + "<thead><tr><th class=\"line\">line</th><th>call</th><th>verdict</th><th>why</th></tr></thead>\n");
        for (MethodVerdicts method : methods) {
            add("<tbody>\n<tr class=\"method\"><th colspan=\"4\" scope=\"rowgroup\">" + escape(method.method())
                    + "()</th></tr>\n");
            method.verdicts().forEach(this::verdict);
            method.verdicts().forEach(verdict -> nest(verdict.overlap()));
            add("</tbody>\n");
        }
        add("</table>\n</section>\n");
    }

    /** Writes the calls of a nest as a timeline: a call whose bar begins farther right waits for others. */
    private void nest(@Nullable Overlap overlap) {
        if (overlap == null) {
            return;
        }
        NestView nest = new NestView(overlap, figures);
        add("<tr class=\"pipelined nest\"><td colspan=\"4\"><p>" + breakable(nest.title())
                + "</p>\n<table class=\"steps\">\n");
        double width = 100.0 / overlap.length();
        for (Overlap.Step step : overlap.steps()) {
            String bar =
                    String.format(Locale.ROOT, "margin-left:%.2f%%;width:%.2f%%", (step.depth() - 1) * width, width);
            add("<tr><td class=\"track\"><i" + (step.follows() ? " class=\"follows\"" : "") + " style=\"" + bar
                    + "\"></i></td><td class=\"line\">" + Wording.line(step.line()) + "</td><td class=\"step\">"
                    + breakable(step.call()) + "</td><td>" + breakable(NestView.waits(step)) + "</td></tr>\n");
        }
        add("</table>\n");
        String change = nest.change();
        add((change.isEmpty() ? "" : "<p class=\"free\"><b>To shorten it:</b> " + escape(change) + "</p>")
                + "</td></tr>\n");
    }

    private void verdict(Verdict verdict) {
        String name = Wording.of(verdict.outcome());
        add("<tr class=\"" + name + "\"><td class=\"line\">" + Wording.line(verdict.line()) + "</td><td class=\"call\">"
                + breakable(verdict.call()) + "</td><td class=\"verdict\"><span class=\"badge " + name + "\">"
                + Wording.of(verdict) + "</span></td><td class=\"why\">");
        Refusal refusal = verdict.refusal();
        if (refusal != null) {
            String where =
                    Wording.isElsewhere(refusal, verdict) ? "<b class=\"at\">line " + refusal.line() + "</b> " : "";
            add("<p><span class=\"rule\" title=\"" + escape(refusal.rule().title()) + "\">" + refusal.rule()
                    + "</span> " + where + breakable(refusal.reason()) + "</p>");
            if (!refusal.advice().isEmpty()) {
                add("<p class=\"free\"><b>To free it:</b> " + escape(refusal.advice()) + "</p>");
            }
        }
        Remedy remedy = verdict.remedy();
        if (remedy != null) {
            add("<p class=\"free\"><b>With</b> <code>" + escape(remedy.word()) + "</code><b>:</b> " + Wording.of(remedy)
                    + "</p>");
        }
        add("</td></tr>\n");
    }

    private void add(String html) {
        page.append(html);
    }

    /** Returns a text in which a line may break after a dot. */
    static String breakable(String text) {
        return escape(text).replaceAll("\\.(?=\\w)", ".<wbr>");
    }

    static String escape(String text) {
        return Plain.lines(text)
                .replace("&", "&amp;")
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
