package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.LineChart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The C++// paper's figures: times over the size of the matrices, one chart a network and p, and the gain a network. */
final class LaterCharts {

    /** Where the transfer is less of the call than this, the gain shows what else varies. */
    private static final double LEAST_TRANSFER = 0.01;

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
            return isResult ? "Gain of results, " + network : "Gain, " + network;
        }
    }

    static String of(List<Measurement> measurements) {
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
        page.append("<h2>later: over rows and columns of the matrices</h2>\n<div class=\"grid\">\n");
        for (String title : titles) {
            Map<String, TreeMap<Double, Double>> lines = charts.getOrDefault(title, Map.of());
            page.append(HtmlPage.figure(title, "", LineChart.svg(lines, !title.startsWith("Gain"))));
        }
        return page.append("</div>\n").toString();
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
