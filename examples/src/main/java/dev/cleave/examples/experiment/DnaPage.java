package dev.cleave.examples.experiment;

import dev.cleave.broker.report.BarChart;
import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import java.util.ArrayList;
import java.util.List;

/** The searches of the CORD paper's Fig. 1: by replicas, longest first, and by stages of a database. */
final class DnaPage {

    private static final String TRIPS = "round-trips";
    private static final String WRITTEN = "/as-written";
    private static final List<String> SHOWN = List.of(
            "chain/8",
            "chain/8/services-of-one",
            "chain/8/servers",
            "chain/8/relay",
            "chain/8/relay-servers",
            "fan/3",
            "stages/1",
            "stages/2",
            "stages/4");

    private DnaPage() {}

    static String search(Figures figures) {
        HtmlTable replicas = new HtmlTable("", "search", "seconds", "ideal (s)", "speed-up", "ideal");
        HtmlTable order = new HtmlTable("", "order", "seconds", "two local processes, best order (s)", "time / ideal");
        figures.metric("time").forEach(m -> {
            if (m.caseName().startsWith(DnaExperiment.ORDER)) {
                order.row(List.of(
                        Cell.of(m.caseName().substring(DnaExperiment.ORDER.length())),
                        figures.cell(m.caseName(), "time", 1, ""),
                        Cell.of(Figures.number(m.ideal())),
                        Cell.of(Figures.number(m.ideal() == null ? null : m.value() / m.ideal()))));
            } else {
                replicas.row(List.of(
                        Cell.of(m.caseName()),
                        figures.cell(m.caseName(), "time", 1, ""),
                        Cell.of(Figures.number(m.ideal())),
                        figures.cell(m.caseName(), "speedup", 1, ""),
                        Cell.of(Figures.number(figures.ideal(m.caseName(), "speedup")))));
            }
        });
        return "<h2>Fig. 1 (b): a master and replicated workers</h2>\n<p>The paper prints no times for this program.</p>\n"
                + replicas
                + HtmlPage.figure(
                        "Speed-up over the sequential client",
                        "Circles: Cleave, with the distance of the quartiles; bars: ideal. The axis does not begin at 0.",
                        figures.dots("speedup", "speed-up", m -> true))
                + "<h2>Longest first</h2>\n<p>\"Longer sequences first\" is the paper's example of a priority: <code>priority:"
                + " known.length()</code>. 62 orchids are compared first in the program, the genome of phage lambda in three"
                + " pieces last; a piece takes more than twenty times as long as an orchid.</p>\n"
                + order
                + "<h2>Fig. 1 (c): a database cut into stages</h2>\n<p>Measured as <code>stages/K</code> by <code>bin/cleave experiment pipeline</code>: the results of a stage go on to the next without the client.</p>\n";
    }

    /** A chart of the round trips of chains of ints at each place, and of stages. */
    private static String trips(Figures figures) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (String name : SHOWN) {
            Measurement ours = figures.find(name, TRIPS);
            Measurement written = figures.find(name + WRITTEN, TRIPS);
            if (ours != null && written != null) {
                bars.add(BarChart.Bar.of(name, "ours", ours.value(), Figures.number(ours.value()) + " Cleave"));
                bars.add(BarChart.Bar.of("", "gold", written.value(), Figures.number(written.value()) + " as written"));
            }
        }
        return bars.isEmpty()
                ? ""
                : HtmlPage.figure(
                        "Round trips of the client",
                        "Chains of eight calls on an int at each place, one result for three servers, and the search in stages; the"
                                + " others are in the table.",
                        BarChart.svg(bars, BarChart.ALONE, "round trips"));
    }

    static String pipeline(Figures figures) {
        HtmlTable table = new HtmlTable(
                "Round trips of the client, and time",
                "program",
                "round trips",
                "as written",
                "best",
                "seconds",
                "as written (s)");
        HtmlTable stages = new HtmlTable("", "stages", "round trips", "as written", "seconds", "as written (s)");
        figures.metric(TRIPS).filter(m -> !m.caseName().endsWith(WRITTEN)).forEach(m -> {
            String written = m.caseName() + WRITTEN;
            Cell trips = Cell.of(Figures.number(m.value()));
            Cell before = Cell.of(Figures.number(figures.value(written, TRIPS)));
            Cell time = figures.cell(m.caseName(), "time", 1, "");
            Cell timeBefore = figures.cell(written, "time", 1, "");
            if (m.caseName().startsWith("stages")) {
                stages.row(
                        List.of(Cell.of(m.caseName().substring("stages/".length())), trips, before, time, timeBefore));
            } else {
                table.row(List.of(
                        Cell.of(m.caseName()), trips, before, Cell.of(Figures.number(m.ideal())), time, timeBefore));
            }
        });
        return "<h2>Figs. 3 and 4: results that go from server to server</h2>\n<p>The paper draws these and prints no times. The client is"
                + " 20 ms (there and back) away from the servers: <b>the link is an input of the emulation</b>; round trips are counted.</p>\n"
                + trips(figures)
                + table
                + "<h2>Fig. 1 (c): a database cut into stages</h2>\n<p>Eight new sequences, 40 known ones, on K servers, one behind the"
                + " other.</p>\n"
                + stages;
    }
}
