package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.broker.report.LineChart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables and the figure of the CBS paper: round trips, products of matrices, conjugate gradients. */
final class CbsPages {

    private CbsPages() {}

    static String rtt(Figures figures) {
        HtmlTable table = new HtmlTable("", "Table 1", "paper (us)", "paper / raw", "Cleave (us)", "Cleave / raw");
        row(table, figures, "asynchronous remote void execution + get", "get/relay", "50", "10");
        row(table, figures, "synchronous remote void execution", "void/relay", "32", "6.4");
        row(table, figures, "client part of remote execution", "client-part/relay", "7", "1.4");
        table.row("client local void function call", "0.16", "0.03", "not measured", Figures.NONE);
        HtmlTable more = new HtmlTable("Beyond the paper", "case", "us", "to raw");
        figures.metric("time").forEach(m -> more.row(List.of(
                Cell.of(m.caseName()),
                figures.cell(m.caseName(), "time", 1, ""),
                figures.cell(m.caseName(), "ratio", 1, ""))));
        return "<h2>Table 1: execution delays</h2>\n<p>The paper's raw latency is that of BIP over Myrinet, 5 us one way, polled in user"
                + " space; ours is half of a round trip on bare blocking sockets, so ratios to it are not like the"
                + " paper's: the kernel, which both sides of ours pass, is most of it.</p>\n"
                + table
                + more
                + HtmlPage.figure(
                        "In proportion to the raw latency",
                        "Circles: Cleave; diamonds: the paper.",
                        figures.dots("ratio", "time / raw", m -> true));
    }

    private static void row(
            HtmlTable table, Figures figures, String name, String caseName, String paper, String ratio) {
        table.row(List.of(
                Cell.of(name),
                Cell.of(paper),
                Cell.of(ratio),
                figures.cell(caseName, "time", 1, ""),
                figures.cell(caseName, "ratio", 1, "")));
    }

    static String dgemm(Figures figures) {
        StringBuilder charts = new StringBuilder("<div class=\"grid small\">");
        for (String threads : List.of("1", "2")) {
            Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
            figures.metric("ratio").forEach(m -> {
                String[] words = m.caseName().split("/");
                if (words[2].equals(threads)) {
                    lines.computeIfAbsent(words[1], w -> new TreeMap<>()).put(Double.valueOf(words[0]), m.value());
                }
            });
            if (!lines.isEmpty()) {
                charts.append(HtmlPage.figure(
                        threads.equals("1") ? "One thread" : "Two threads",
                        "",
                        LineChart.svg(lines, new LineChart.Axes("rows of a matrix", "remote / local time", true))));
            }
        }
        HtmlTable table = new HtmlTable("Remote over local time", "rows", "way", "one thread", "two threads", "paper");
        figures.metric("ratio").filter(m -> m.caseName().endsWith("/1")).forEach(m -> {
            String[] words = m.caseName().split("/");
            boolean stays = words[1].equals("by-ref");
            table.row(List.of(
                    Cell.of(words[0]),
                    Cell.of(words[1]),
                    figures.cell(m.caseName(), "ratio", 1, ""),
                    figures.cell(words[0] + "/" + words[1] + "/2", "ratio", 1, ""),
                    Cell.of(stays ? "1, from 32 x 32 on" : Figures.NONE)));
        });
        return "<h2>Fig. 3: products of matrices</h2>\n<p>The paper draws curves without numbers, and says that the remote time equals the"
                + " local one from 32 x 32 on, transfers not counted. That is our by-ref.</p>\n"
                + charts.append("</div>\n")
                + table;
    }

    static String cg(Figures figures) {
        HtmlTable table = new HtmlTable(
                "Speed-up from local uniprocessor, class W", "Executions", "Remote uniprocessor", "Local biprocessor", "Remote biprocessor");
        double local = figures.ideal("W/1", "time");
        table.row("paper", "0.96", "1.34", "1.32")
                .row(
                        "Cleave",
                        Figures.number(local / figures.value("W/1", "time")),
                        Figures.number(local / figures.ideal("W/2", "time")),
                        Figures.number(local / figures.value("W/2", "time")));
        HtmlTable each = new HtmlTable("Each class", "class / threads", "local (s)", "remote (s)", "local / remote", "paper", "zeta");
        figures.metric("time").forEach(m -> {
            Measurement ratio = figures.find(m.caseName(), "ratio");
            each.row(List.of(
                    Cell.of(m.caseName()),
                    Cell.of(Figures.number(m.ideal())),
                    figures.cell(m.caseName(), "time", 1, ""),
                    figures.cell(m.caseName(), "ratio", 1, ""),
                    Cell.of(ratio == null ? Figures.NONE : Figures.number(ratio.paper())),
                    Cell.of(Double.toString(figures.value(m.caseName(), "zeta")).replace("NaN", Figures.NONE))));
        });
        return "<h2>Table 2: conjugate gradients</h2>\n"
                + table
                + each
                + HtmlPage.figure(
                        "Local over remote time",
                        "Circles: Cleave, with the distance of the quartiles; diamonds: the paper. The axis does not begin at 0.",
                        figures.dots("ratio", "local / remote time", m -> true));
    }
}
