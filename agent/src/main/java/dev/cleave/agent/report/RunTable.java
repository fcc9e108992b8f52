package dev.cleave.agent.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the counters of the calls in a run as a table of the HTML page; calls that blocked longest come first. */
final class RunTable {

    private final StringBuilder table = new StringBuilder();
    private final long longest;

    private RunTable(long longest) {
        this.longest = longest;
    }

    static String write(List<SiteFigures> figures, @Nullable Overhead overhead) {
        String cost = overhead == null ? "" : "<p class=\"lead\">" + HtmlReport.escape(overhead.sentence()) + "</p>\n";
        if (figures.isEmpty()) {
            return "<section>\n<h2>In this run</h2>\n" + cost + "</section>\n";
        }
        long longest = figures.stream().mapToLong(RunTable::total).max().orElse(0);
        RunTable run = new RunTable(Math.max(1, longest));
        run.head(figures);
        figures.stream()
                .sorted(Comparator.comparingLong(SiteFigures::blockedNanos).reversed())
                .forEach(run::row);
        return run.table.append("</tbody>\n</table>\n" + cost + "</section>\n").toString();
    }

    private static long total(SiteFigures site) {
        return site.blockedNanos() + site.overlappedNanos();
    }

    private void head(List<SiteFigures> figures) {
        long blocked = figures.stream().mapToLong(SiteFigures::blockedNanos).sum();
        long overlapped =
                figures.stream().mapToLong(SiteFigures::overlappedNanos).sum();
        add("<section>\n<h2>In this run</h2>\n<ul class=\"legend\"><li><i class=\"blocked\"></i><b>"
                + Wording.millis(blocked) + "</b> blocked: the program waited</li><li><i class=\"overlapped\"></i><b>"
                + Wording.millis(overlapped)
                + "</b> overlapped: calls were under way while the program went on</li></ul>\n"
                + "<table class=\"run\">\n<thead><tr><th>call</th><th class=\"time\">blocked and overlapped</th>"
                + "<th class=\"n\">sent</th><th class=\"n\">awaited</th><th class=\"n\">given up</th>"
                + "<th class=\"n\">as written</th><th class=\"n\">most in flight</th></tr></thead>\n<tbody>\n");
    }

    private void row(SiteFigures site) {
        add("<tr><td class=\"site\"><b>" + HtmlReport.breakable(site.call()) + "</b><br>"
                + HtmlReport.breakable(site.place()) + ":" + Wording.line(site.line())
                + (site.stayed() == 0 ? "" : "<br>" + HtmlReport.escape(Wording.stayed(site)))
                + (site.sparedBytes() == 0 ? "" : "<br>" + Wording.spared(site))
                + (site.note().isEmpty() ? "" : "<br>no longer sent: " + HtmlReport.escape(site.note()))
                + "</td><td class=\"time\"><div class=\"bar\" aria-hidden=\"true\">"
                + part("blocked", site.blockedNanos()) + part("overlapped", site.overlappedNanos())
                + part("rest", longest - total(site)) + "</div><span class=\"blocked\">"
                + site.timed(site.blockedNanos()) + "</span><span class=\"overlapped\">"
                + site.timed(site.overlappedNanos()) + "</span></td>");
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
        String digits = String.format(Locale.ROOT, "%,d", value);
        add("<td class=\"n" + (value == 0 ? " zero" : "") + "\" data-name=\"" + name + "\">" + digits + "</td>");
    }

    private void add(String html) {
        table.append(html);
    }
}
