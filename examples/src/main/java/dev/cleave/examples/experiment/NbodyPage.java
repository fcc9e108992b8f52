package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.broker.report.LineChart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The PVM-RPC paper's Fig. 1: calls beside message passing over the number of servers. */
final class NbodyPage {

    private NbodyPage() {}

    static String of(Figures figures) {
        HtmlTable table = new HtmlTable(
                "Seconds for the forces of all pairs",
                "servers",
                "Cleave",
                "message passing",
                "Cleave / message passing",
                "paper",
                "speed-up");
        double alone = figures.value("servers=0", "time");
        TreeMap<Double, Double> ours = new TreeMap<>();
        TreeMap<Double, Double> ring = new TreeMap<>();
        TreeMap<Double, Double> ideal = new TreeMap<>();
        int processors = Runtime.getRuntime().availableProcessors();
        figures.metric("time").forEach(m -> {
            double servers = Double.parseDouble(m.caseName().substring("servers=".length()));
            boolean isSequential = servers == 0;
            if (!isSequential) {
                ours.put(servers, alone / m.value());
                ideal.put(servers, Math.min(servers, processors));
                if (m.ideal() != null) {
                    ring.put(servers, alone / m.ideal());
                }
            }
            table.row(List.of(
                    Cell.of(m.caseName().substring("servers=".length())),
                    figures.cell(m.caseName(), "time", 1, ""),
                    Cell.of(Figures.number(m.ideal())),
                    figures.cell(m.caseName(), "ratio", 1, ""),
                    Cell.of(isSequential ? Figures.NONE : "marginally below 1"),
                    Cell.of(Figures.number(alone / m.value()))));
        });
        if (ours.isEmpty()) {
            return table.toString();
        }
        Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
        lines.put("Cleave", ours);
        lines.put("message passing", ring);
        lines.put("min(N, " + processors + " processors)", ideal);
        return "<h2>Fig. 1: scalability of calls and of message passing</h2>\n<p>The paper draws two curves, for 0, 1, 2, 4 and 8"
                + " Sparcstations 20, without numbers. Its text says that calls were marginally faster than message passing,"
                + " and that other programs were within 5 to 10 %. Ours runs on " + processors
                + " processors: more servers than these bring no speed, so from there on only the ratio counts.</p>\n"
                + table
                + "<div class=\"grid small\">"
                + HtmlPage.figure(
                        "Speed-up over servers",
                        "Time of the sequential program divided by that with N servers.",
                        LineChart.svg(lines, new LineChart.Axes("servers", "speed-up", false)))
                + "</div>\n"
                + HtmlPage.figure(
                        "Calls in proportion to message passing",
                        "Circles: the median of the ratios of one round each, with the distance of the quartiles. The axis does not"
                                + " begin at 0.",
                        figures.dots("ratio", "time of calls / time of message passing", m -> true));
    }
}
