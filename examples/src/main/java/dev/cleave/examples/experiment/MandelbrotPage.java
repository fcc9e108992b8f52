package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.examples.mandelbrot.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The CORD paper's Table 1 in its own layout and seconds, with ours in the same layout below it. */
final class MandelbrotPage {

    private static final String[] TYPES = {"four/static", "four/chain", "four/circle"};

    private MandelbrotPage() {}

    static String of(Figures figures) {
        StringBuilder page = new StringBuilder();
        page.append("<h2>Table 1 (a): one server</h2>\n")
                .append("<p>Seconds of the paper's machines; ").append(Machine.SCALE)
                .append(" of them pass in one of ours. <b>The paper's eight cells are inputs of the emulation</b>: a row computes"
                        + " for async / 200 and transfers for (sync - async) / 200. Our cells show what Cleave adds to"
                        + " these inputs, not that our machine is like theirs.</p>\n")
                .append("<p class=\"key\"><i class=\"input\"></i>input of the emulation</p>\n")
                .append(single(figures))
                .append("<h2>Table 1 (b): four servers</h2>\n")
                .append(types(figures))
                .append(HtmlPage.figure(
                        "Time over the ideal",
                        "Circles: Cleave, with the distance of the quartiles. 1 is rows x (compute + transfer) for sync,"
                                + " rows x max(compute, transfer) for async, the best division of whole rows for four machines."
                                + " The axis does not begin at 0.",
                        figures.dots("ratio", "time / ideal", m -> true)))
                .append("<h2>All ways to use four machines</h2>\n")
                .append(policies(figures));
        return page.toString();
    }

    private static HtmlTable single(Figures figures) {
        List<String> heads = new ArrayList<>(List.of("", ""));
        for (Machine machine : Machine.values()) {
            heads.add(machine.id());
        }
        HtmlTable table = new HtmlTable("", heads.toArray(new String[0]));
        for (String style : List.of("Sync", "Async")) {
            boolean isSync = style.equals("Sync");
            List<Cell> paper = new ArrayList<>(List.of(Cell.of(style), Cell.of("paper")));
            List<Cell> ours = new ArrayList<>(List.of(Cell.of(""), Cell.of("Cleave")));
            List<Cell> ideal = new ArrayList<>(List.of(Cell.of(""), Cell.of("ideal")));
            for (Machine machine : Machine.values()) {
                paper.add(new Cell(whole(isSync ? machine.sync() : machine.async()), "", "input"));
                ours.add(figures.cell(machine.id() + (isSync ? "/sync" : "/async"), "time", Machine.SCALE, ""));
                ideal.add(new Cell(
                        Figures.number((isSync ? machine.idealSync() : machine.idealAsync()) * Machine.SCALE),
                        "",
                        "paper"));
            }
            table.row(paper).row(ours).row(ideal);
        }
        return table;
    }

    private static HtmlTable types(Figures figures) {
        HtmlTable table = new HtmlTable("", "", "", "Type 1: equal parts", "Type 2: chain", "Type 3: circle");
        table.row(List.of(
                Cell.of("ALL"),
                Cell.of("paper"),
                Cell.of(whole(Machine.FOUR_STATIC)),
                Cell.of(whole(Machine.FOUR_CHAIN)),
                Cell.of(whole(Machine.FOUR_CIRCLE))));
        List<Cell> ours = new ArrayList<>(List.of(Cell.of(""), Cell.of("Cleave")));
        List<Cell> ideal = new ArrayList<>(List.of(Cell.of(""), Cell.of("ideal")));
        for (String type : TYPES) {
            ours.add(figures.cell(type, "time", Machine.SCALE, ""));
            ideal.add(new Cell(Figures.number(Machine.idealFour() * Machine.SCALE), "", "paper"));
        }
        return table.row(ours).row(ideal);
    }

    private static HtmlTable policies(Figures figures) {
        HtmlTable table = new HtmlTable("", "case", "how", "seconds here", "seconds of the paper's", "paper", "time / ideal");
        Map<String, String> how = Map.of(
                "four/static", "equal parts",
                "four/chain", "harvey gets all rows, waiting rows move on",
                "four/circle", "equal parts, waiting rows move to both neighbours",
                "four/demand", "two rows at a machine at a time",
                "four/demand-1", "one row at a machine at a time",
                "four/demand-3", "three rows",
                "four/demand-5", "five rows",
                "four/pull", "a machine asks when it is free",
                "four/least-loaded", "the machine with the fewest rows");
        figures.metric("time").filter(m -> m.caseName().startsWith("four/")).forEach(m -> table.row(List.of(
                Cell.of(m.caseName()),
                Cell.of(how.getOrDefault(m.caseName(), "")),
                figures.cell(m.caseName(), "time", 1, ""),
                Cell.of(Figures.number(m.value() * Machine.SCALE)),
                Cell.of(m.paper() == null ? Figures.NONE : whole(m.paper())),
                figures.cell(m.caseName(), "ratio", 1, ""))));
        return table;
    }

    private static String whole(double seconds) {
        return String.format(Locale.ROOT, "%.0f", seconds);
    }
}
