package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.broker.report.LineChart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The C++// paper's figures: times over the size of the matrices, one chart a network and p, and the gain a network. */
final class LaterCharts {

    /** Where the transfer is less of the call than this, the gain shows what else varies. */
    private static final double LEAST_TRANSFER = 0.01;

    private static final String OF_RESULTS = "Gain of results, ";

    private LaterCharts() {}

    /**
     * What a case is called.
     *
     * @param size rows of a matrix
     * @param line p of arguments, the use of results
     * @param network in lower case
     * @param isResult whether it is one of results
     */
    private record Case(int size, String line, String network, boolean isResult) {

        static Case of(String name) {
            String[] parts = name.split("/");
            boolean isResult = parts[1].indexOf('=') < 0;
            String size = parts[isResult ? 1 : 0];
            return new Case(
                    Integer.parseInt(size.substring(0, size.indexOf('x'))),
                    parts[isResult ? 0 : 1],
                    parts[2],
                    isResult);
        }

        String gains() {
            return isResult ? OF_RESULTS + network : "Gain, " + network;
        }
    }

    static String of(Figures figures) {
        List<Measurement> measurements = figures.all();
        Map<String, Map<String, TreeMap<Double, Double>>> charts = new LinkedHashMap<>();
        Map<String, Double> transfers = values(measurements, "transfer");
        Map<String, Double> totals = values(measurements, "total-without");
        for (Measurement m : measurements) {
            Case of = Case.of(m.caseName());
            String place = of.network() + ", " + of.line();
            switch (m.metric()) {
                case "total-with", "total-without" ->
                    point(charts, "Total, " + place + " (s)", m.metric().substring(6), of.size(), m.value());
                case "d1-with", "d1-without" ->
                    point(charts, "d1, " + place + " (s)", m.metric().substring(3), of.size(), m.value());
                case "gain" -> {
                    double total = totals.getOrDefault(m.caseName(), 0.0);
                    if (transfers.getOrDefault(m.caseName(), total) < LEAST_TRANSFER * total) {
                        continue;
                    }
                    point(charts, of.gains(), of.line(), of.size(), m.value());
                    if (m.ideal() != null) {
                        point(charts, of.gains(), of.line() + " ideal", of.size(), m.ideal());
                    }
                }
                default -> {}
            }
        }
        StringBuilder page = new StringBuilder();
        List<String> titles = new ArrayList<>(charts.keySet());
        titles.sort((one, other) -> Integer.compare(rank(one), rank(other)));
        page.append(
                "<p>Links and machine are emulated, and faster than the paper's by the scale of each case: <b>the bandwidth, the"
                        + " latency and the length of a square are inputs of the emulation</b>; what is measured is how much of the"
                        + " transfer is hidden.</p>\n");
        page.append(footnote(figures));
        page.append("<h2>Figs. 2 to 9: over rows and columns of the matrices</h2>\n<div class=\"grid small\">\n");
        for (String title : titles) {
            Map<String, TreeMap<Double, Double>> lines = charts.getOrDefault(title, Map.of());
            if (!hasCurves(lines)) {
                continue;
            }
            page.append(HtmlPage.figure(title, "", LineChart.svg(lines, axes(title))));
        }
        return page.append("</div>\n").append(dots(figures, charts)).toString();
    }

    private static boolean hasCurves(Map<String, TreeMap<Double, Double>> lines) {
        return lines.values().stream()
                        .flatMap(line -> line.keySet().stream())
                        .distinct()
                        .count()
                > 1;
    }

    /** The gains of results, if there are none of several sizes. */
    private static String dots(Figures figures, Map<String, Map<String, TreeMap<Double, Double>>> charts) {
        boolean isDrawn = charts.entrySet().stream()
                .anyMatch(chart -> chart.getKey().startsWith(OF_RESULTS) && hasCurves(chart.getValue()));
        String dots = isDrawn
                ? ""
                : figures.dots("gain", "gain G", m -> Case.of(m.caseName()).isResult());
        return dots.isEmpty()
                ? ""
                : HtmlPage.figure(
                        "Gain of results",
                        "Circles: Cleave, with the distance of the quartiles; bars: ideal. The axis does not begin at 0.",
                        dots);
    }

    private static LineChart.Axes axes(String title) {
        boolean isGain = title.startsWith("Gain");
        return new LineChart.Axes("rows of a matrix", isGain ? "gain G" : "seconds of a call", !isGain);
    }

    /** The one pair of times that the paper prints, beside ours in its seconds. */
    private static String footnote(Figures figures) {
        String name = LaterFigures.PRINTED.label();
        if (figures.find(name, "total-with") == null) {
            return "";
        }
        double scale = figures.value(name, Figures.SCALE);
        double with = figures.value(name, "total-with");
        double without = figures.value(name, "total-without");
        double paperWith = LaterFigures.PAPER.getOrDefault("total-with", Double.NaN);
        double paperWithout = LaterFigures.PAPER.getOrDefault("total-without", Double.NaN);
        HtmlTable table = new HtmlTable("", "", "without later (us)", "with later (us)", "saved", "G", "d1 / transfer");
        table.row(
                        "paper",
                        micros(paperWithout),
                        micros(paperWith),
                        percent(1 - paperWith / paperWithout),
                        "not printed",
                        "not printed")
                .row(List.of(
                        Cell.of("Cleave, in the paper's time"),
                        Cell.of(micros(without * scale)),
                        Cell.of(micros(with * scale)),
                        Cell.of(percent(1 - with / without)),
                        figures.cell(name, "gain", 1, ""),
                        Cell.of(Figures.number(figures.value(name, "d1-without") / figures.value(name, "transfer")))));
        return "<h2>Footnote 2: 2,500 integers from Argonne to INRIA, d1 300 times longer</h2>\n" + table
                + "<p>Ours are 2,500 numbers of 8 bytes, over 1 Mbit/s and 60 ms; the paper gives no bandwidth of that night.</p>\n";
    }

    private static String micros(double seconds) {
        return String.format(Locale.ROOT, "%,.0f", seconds * 1e6);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    private static Map<String, Double> values(List<Measurement> measurements, String metric) {
        Map<String, Double> values = new HashMap<>();
        measurements.stream().filter(m -> m.metric().equals(metric)).forEach(m -> values.put(m.caseName(), m.value()));
        return values;
    }

    private static int rank(String title) {
        return title.startsWith("Gain") ? 0 : title.startsWith("Total") ? 1 : 2;
    }

    private static void point(
            Map<String, Map<String, TreeMap<Double, Double>>> charts, String title, String line, int x, double y) {
        charts.computeIfAbsent(title, t -> new LinkedHashMap<>())
                .computeIfAbsent(line, l -> new TreeMap<>())
                .put((double) x, y);
    }
}
