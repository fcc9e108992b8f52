package dev.cleave.jmh.bench;

import dev.cleave.jmh.bench.talk.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page of its own, without any other file, that shows each workload as bars, the best first. */
final class BenchPage {

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Cleave: bench</title>
            <style>
              body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; max-width: 78rem; margin: 2rem auto;
                     padding: 0 1rem; background: #fff }
              h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.05rem; margin: 0 }
              p { color: #55606e; margin: .2rem 0 } .notes { margin-top: 2rem; font-size: .85rem }
              .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(34rem, 1fr)); gap: 1.6rem 2rem;
                        margin-top: 1.4rem }
              figure { margin: 0; padding: .9rem 1rem; border: 1px solid #e2e7ed; border-radius: 8px }
              figcaption { font-size: .85rem; color: #55606e } svg { width: 100%; height: auto }
              text { font: 13px system-ui, sans-serif; fill: #1c2430 } .ratio, .none { fill: #7a8594 }
              .floor { fill: #5c6773 } .bare { fill: #a9b4c0 } .peer { fill: #c9a86a } .cleave { fill: #2563a8 }
              .spread { stroke: #1c2430; stroke-opacity: .45; stroke-width: 1.5 }
              .key span { margin-right: 1.2rem } .key i { display: inline-block; width: .8rem; height: .8rem;
                border-radius: 2px; margin-right: .35rem; vertical-align: -1px }
            </style></head><body>
            <h1>Cleave: bench</h1>
            """;

    private static final String KEY = """
            <p class="key"><span><i style="background:#5c6773"></i>the floor</span>\
            <span><i style="background:#a9b4c0"></i>without middleware, or by hand</span>\
            <span><i style="background:#c9a86a"></i>other middleware</span>\
            <span><i style="background:#2563a8"></i>Cleave</span></p>
            <p>Medians over the rounds; the fine line is the distance of the quartiles; in grey the ratio to the floor.</p>
            """;

    private BenchPage() {}

    static String of(String how, List<Result> results) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<p>").append(escape(how)).append("</p>\n").append(KEY);
        for (Result result : results) {
            page.append("<div class=\"charts\">\n");
            charts(result).forEach((workload, bars) -> page.append(figure(workload, bars, result.floor())));
            page.append("</div>\n<div class=\"notes\">\n");
            result.notes()
                    .forEach(note -> page.append("<p>").append(escape(note)).append("</p>\n"));
            page.append("</div>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private static Map<String, List<Measurement>> charts(Result result) {
        Map<String, List<Measurement>> charts = new LinkedHashMap<>();
        for (Measurement m : result.measurements()) {
            charts.computeIfAbsent(m.workload() + ", " + m.metric().name(), key -> new ArrayList<>())
                    .add(m);
        }
        return charts;
    }

    private static String figure(String title, List<Measurement> bars, String floor) {
        Metric metric = bars.get(0).metric();
        boolean more = metric.name().equals("rate");
        return String.format(
                Locale.ROOT,
                "<figure><h2>%s</h2><figcaption>%s, %s is better</figcaption>%n%s</figure>%n",
                escape(title),
                escape(metric.unit()),
                more ? "more" : "less",
                RankedBars.svg(bars, floor, more));
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
