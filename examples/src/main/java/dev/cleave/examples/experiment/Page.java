package dev.cleave.examples.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page that shows measurements as bars: ours, the ideal, and the paper's in our scale of time. */
final class Page {

    /** The metric whose value is the number of the paper's units in one of ours. */
    static final String SCALE = "scale";

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Cleave: experiments</title>
            <style>
              body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; max-width: 60rem; margin: 2rem auto;
                     padding: 0 1rem; }
              h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
              p { color: #55606e; margin: .2rem 0 }
              svg { width: 100%; height: auto } text { font: 13px system-ui, sans-serif; fill: #1c2430 }
              .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem }
              figure { margin: 0 } figcaption { font-weight: 600; margin: .6rem 0 .2rem } .grid text { font-size: 11px }
              .rule { stroke: #e3e7ec }
              .ours { fill: #2563a8 } .ideal { fill: #8fb8de } .paper { fill: #c9a227 }
            </style></head><body>
            <h1>Cleave: experiments</h1>
            """;

    private Page() {}

    static String of(List<Measurement> measurements, List<Experiment> experiments) {
        StringBuilder page = new StringBuilder(HEAD);
        for (Experiment experiment : experiments) {
            experiment
                    .notes()
                    .forEach(note -> page.append("<p>").append(escape(note)).append("</p>\n"));
        }
        for (Experiment experiment : experiments) {
            page.append(experiment.charts(measurements.stream()
                    .filter(m -> m.experiment().equals(experiment.name()))
                    .toList()));
        }
        return page.append("</body></html>\n").toString();
    }

    /** A chart of bars for each metric. */
    static String bars(List<Measurement> measurements) {
        StringBuilder page = new StringBuilder();
        Map<String, List<Measurement>> charts = new LinkedHashMap<>();
        for (Measurement m : measurements) {
            if (!m.metric().equals(SCALE)) {
                String unit = m.unit().equals("ratio") ? "" : " in " + m.unit();
                String title = m.experiment() + ", " + m.metric() + unit;
                charts.computeIfAbsent(title, t -> new ArrayList<>()).add(m);
            }
        }
        charts.forEach((title, bars) -> {
            double scale = scale(measurements, bars.get(0).experiment());
            page.append("<h2>").append(escape(title)).append("</h2>\n").append(BarChart.svg(bars(bars, scale)));
        });
        return page.toString();
    }

    private static double scale(List<Measurement> measurements, String experiment) {
        return measurements.stream()
                .filter(m -> m.experiment().equals(experiment) && m.metric().equals(SCALE))
                .mapToDouble(Measurement::value)
                .findFirst()
                .orElse(1);
    }

    private static List<BarChart.Bar> bars(List<Measurement> measurements, double scale) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Measurement m : measurements) {
            bars.add(new BarChart.Bar(m.caseName(), "ours", m.value(), number(m.value())));
            if (m.ideal() != null) {
                bars.add(new BarChart.Bar("", "ideal", m.ideal(), number(m.ideal())));
            }
            if (m.paper() != null) {
                double scaled = m.paper() / scale;
                bars.add(new BarChart.Bar(
                        "", "paper", scaled, number(scaled) + (scale == 1 ? "" : " (" + number(m.paper()) + ")")));
            }
        }
        return bars;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
