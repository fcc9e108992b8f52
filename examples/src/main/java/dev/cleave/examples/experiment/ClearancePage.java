package dev.cleave.examples.experiment;

import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.broker.report.LineChart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The Distributed Clearance paper's Table 1 in its own columns, cut into its rows of local data and of shared data, with ours below each row. */
final class ClearancePage {

    /**
     * A row of the paper's table.
     *
     * @param columns the paper's text in the columns of this page
     * @param servers the number of servers
     * @param ours our case, or null if we have none
     */
    private record Row(
            List<String> columns, int servers, @Nullable String ours) {

        static Row of(int servers, @Nullable String ours, String columns) {
            return new Row(List.of(columns.split(" ")), servers, ours);
        }
    }

    private static final List<Row> LOCAL = List.of(
            Row.of(1, "local", "Local N/A 1 121.81 121.81 1493 12.26 81.58 0.00% 1 81.58 0.00%"),
            Row.of(1, "affinity/1", "Remote LRPC 1 158.56 158.56 1493 9.42 106.20 -30.17% 1 106.19 0.01%"),
            Row.of(5, "affinity/5", "Remote TCP 5 29.85 5.97 1493 50.01 20.00 75.49% 1,2,3,5,6 18.19 9.95%"));

    private static final List<Row> SHARED = List.of(
            Row.of(1, "local", "Local N/A 1 284.93 284.93 1493 5.24 190.84 0.00% 1 190.84 0.00%"),
            Row.of(1, "demand/1", "Remote TCP 1 327.88 327.88 1493 4.55 219.61 -15.07% 1 206.23 6.49%"),
            Row.of(1, null, "Remote TCP 1 451.30 451.30 1493 3.31 302.28 -58.39% 2 289.74 4.33%"),
            Row.of(1, null, "Remote TCP 1 270.11 270.11 1493 5.53 180.92 5.20% 3 157.68 14.74%"),
            Row.of(1, null, "Remote TCP 1 429.07 429.07 1493 3.48 287.39 -50.59% 4 274.90 4.54%"),
            Row.of(1, null, "Remote TCP 1 297.84 297.84 1493 5.01 199.49 -4.53% 5 187.73 6.26%"),
            Row.of(1, null, "Remote TCP 1 295.27 295.27 1493 5.06 197.77 -3.63% 6 186.11 6.27%"),
            Row.of(2, "demand/2", "Remote TCP 2 272.33 136.17 1493 5.48 182.41 4.42% 3,6 170.62 6.91%"),
            Row.of(3, "demand/3", "Remote TCP 3 213.37 71.12 1493 7.00 142.91 25.12% 3,5,6 131.39 8.77%"),
            Row.of(4, "demand/4", "Remote TCP 4 219.12 54.78 1493 6.81 146.76 23.10% 1,3,5,6 134.77 8.90%"),
            Row.of(5, "demand/5", "Remote TCP 5 219.90 43.98 1493 6.79 147.28 22.82% 1,2,3,5,6 131.11 12.34%"));

    /** The calculations of the paper, and of a full run of ours. */
    private static final int CALCULATIONS = 1493;

    private ClearancePage() {}

    static String of(Figures figures) {
        return "<p>Our work servers are held to one pace by waiting, so <b>the time of a job is an input of the emulation</b>: 3 ms,"
                + " and 1.4 ms for each part that is loaded. Columns that it decides are marked. The paper's machines 2 to 6"
                + " by themselves differ in their own speed alone; our emulation has one speed, so these rows have no figure of ours."
                + " Speed, scaling and overhead are what is measured.</p>\n"
                + "<p class=\"key\"><i class=\"input\"></i>decided by the input of the emulation</p>\n"
                + "<h2>Table 1, local data</h2>\n"
                + "<p>Ours: <code>affinity/N</code>, servers that get jobs of the region whose parts they keep.</p>\n"
                + table(LOCAL, figures)
                + "<h2>Table 1, data on a shared file system</h2>\n"
                + "<p>Ours: <code>demand/N</code>, the next job to the server that has returned a result, whatever parts it keeps.</p>\n"
                + table(SHARED, figures)
                + "<div class=\"grid small\">"
                + HtmlPage.figure(
                        "Speed-up over servers",
                        "Time of one server of the same kind divided by that of N. Beyond the ideal N: the memories of N servers"
                                + " together keep more parts, so fewer are loaded.",
                        speedups(figures))
                + "</div>\n"
                + HtmlPage.figure(
                        "Overhead",
                        "The part of the time per job in which no server was busy: the paper's last column.",
                        Page.bars(figures.metric("overhead").toList(), 1));
    }

    private static HtmlTable table(List<Row> rows, Figures figures) {
        HtmlTable table = new HtmlTable(
                "",
                "Local/Remote",
                "Protocol",
                "Servers",
                "Exec. secs",
                "Time per server",
                "Calcs",
                "Calcs/s",
                "ms per calc",
                "Improvement",
                "Machines",
                "Server-reported ms",
                "RPC overhead");
        for (Row row : rows) {
            table.row(row.columns.stream().map(Cell::of).toList());
            if (row.ours != null && figures.find(row.ours, "time") != null) {
                table.row(ours(row, row.ours, figures));
            }
        }
        return table;
    }

    private static List<Cell> ours(Row row, String name, Figures figures) {
        double seconds = figures.value(name, "time");
        double overhead = figures.value(name, "overhead");
        double reported = seconds * row.servers / CALCULATIONS * 1e3 / (1 + overhead / 100) / row.servers;
        Measurement time = figures.find(name, "time");
        return List.of(
                Cell.of("Cleave: " + name),
                Cell.of(name.equals("local") ? "N/A" : "relay"),
                Cell.of(Integer.toString(row.servers)),
                new Cell(two(seconds), time == null ? "" : Figures.spread(time), "input"),
                new Cell(two(seconds / row.servers), "", "input"),
                Cell.of(Integer.toString(CALCULATIONS)),
                new Cell(two(CALCULATIONS / seconds), "", "input"),
                new Cell(two(seconds / CALCULATIONS * 1e3), "", "input"),
                Cell.of(percent(100 * (1 - seconds / figures.value("local", "time")))),
                Cell.of("alike"),
                new Cell(two(reported), "", "input"),
                Cell.of(percent(overhead)));
    }

    private static String speedups(Figures figures) {
        Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
        for (String way : List.of("demand", "affinity")) {
            TreeMap<Double, Double> line = new TreeMap<>();
            TreeMap<Double, Double> paper = new TreeMap<>();
            for (int n = 1; n <= 5; n++) {
                Measurement found = figures.find(way + "/" + n, "speedup");
                if (found != null) {
                    line.put((double) n, found.value());
                    if (found.paper() != null) {
                        paper.put((double) n, found.paper());
                    }
                }
            }
            if (!line.isEmpty()) {
                lines.put(way, line);
            }
            if (paper.size() > 1) {
                lines.put(way.equals("demand") ? "paper, shared data" : "paper, local data", paper);
            }
        }
        if (lines.isEmpty()) {
            return "";
        }
        TreeMap<Double, Double> ideal = new TreeMap<>();
        for (int n = 1; n <= 5; n++) {
            ideal.put((double) n, (double) n);
        }
        lines.put("N", ideal);
        return LineChart.svg(lines, new LineChart.Axes("servers", "speed-up", false));
    }

    private static String two(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : Figures.NONE;
    }

    private static String percent(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f%%", value) : Figures.NONE;
    }
}
