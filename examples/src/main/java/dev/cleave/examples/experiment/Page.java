package dev.cleave.examples.experiment;

import dev.cleave.broker.report.BarChart;
import dev.cleave.broker.report.BarChart.Bar;
import dev.cleave.broker.report.HtmlPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page that shows measurements as bars: ours, the ideal, and the paper's in our scale of time. */
final class Page {

    /** The metric whose value is the number of the paper's units in one of ours. */
    static final String SCALE = "scale";

    private Page() {}

    static String of(List<Measurement> measurements, List<Experiment> experiments) {
        HtmlPage page = new HtmlPage("Cleave: experiments", false);
        experiments.forEach(experiment -> experiment.notes().forEach(page::paragraph));
        for (Experiment experiment : experiments) {
            page.add(experiment.charts(measurements.stream()
                    .filter(m -> m.experiment().equals(experiment.name()))
                    .toList()));
        }
        return page.toString();
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
            page.append(HtmlPage.figure(title, "", BarChart.svg(bars(bars, scale), BarChart.ALONE)));
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

    private static List<Bar> bars(List<Measurement> measurements, double scale) {
        List<Bar> bars = new ArrayList<>();
        for (Measurement m : measurements) {
            bars.add(Bar.of(m.caseName(), "ours", m.value(), number(m.value()) + " ours"));
            if (m.ideal() != null) {
                bars.add(Bar.of("", "light", m.ideal(), number(m.ideal()) + " ideal"));
            }
            if (m.paper() != null) {
                double scaled = m.paper() / scale;
                String own = scale == 1 ? "" : " (" + number(m.paper()) + ")";
                bars.add(Bar.of("", "gold", scaled, number(scaled) + own + " paper"));
            }
        }
        return bars;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
