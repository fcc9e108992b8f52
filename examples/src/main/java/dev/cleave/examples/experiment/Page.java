package dev.cleave.examples.experiment;

import dev.cleave.broker.report.BarChart;
import dev.cleave.broker.report.BarChart.Bar;
import dev.cleave.broker.report.BarChart.Piece;
import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.HtmlTable;
import dev.cleave.broker.report.HtmlTable.Cell;
import dev.cleave.broker.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages of experiments: an index, and for each experiment the paper's tables beside ours, charts, and all figures. */
final class Page {

    /** The file with the figures of all pages. */
    static final String FIGURES = "results.json";

    /** The file with machine, date, commit and command. */
    static final String ORIGIN = "run.json";

    private Page() {}

    /** Writes the pages of experiments into a directory, with the figures that they show as JSON. */
    static void write(Path directory, List<Experiment> experiments, List<Measurement> measurements, Origin origin)
            throws IOException {
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve(FIGURES),
                Json.array(measurements.stream().map(Measurement::json).toList()));
        List<Object> facts = new ArrayList<>();
        origin.facts().forEach((name, value) -> facts.addAll(List.of(name, value)));
        Files.writeString(directory.resolve(ORIGIN), Json.array(List.of(Json.record(facts.toArray()))));
        for (Experiment experiment : experiments) {
            Figures figures = Figures.of(experiment.name(), measurements);
            if (!figures.all().isEmpty()) {
                boolean isDrawn = Files.isRegularFile(directory.resolve(picture(experiment)));
                Files.writeString(
                        directory.resolve(experiment.name() + ".html"), of(experiment, figures, origin, isDrawn));
            }
        }
        Files.writeString(directory.resolve("index.html"), index(experiments, measurements, origin));
    }

    /** The name of the file with the picture that an experiment has made. */
    static String picture(Experiment experiment) {
        return experiment.name() + ".png";
    }

    static String of(Experiment experiment, Figures figures, Origin origin, boolean isDrawn) {
        HtmlPage page = new HtmlPage("Cleave: " + experiment.title(), true)
                .add("<p><a href=\"index.html\">All experiments</a></p>\n")
                .add("<p class=\"lead\">" + HtmlPage.escape(experiment.question()) + "</p>\n")
                .add(origin.html());
        if (!experiment.leftOut().isEmpty()) {
            page.paragraph("Left out in this short form: " + experiment.leftOut() + ".");
        }
        if (isDrawn) {
            page.add("<figure><h2>The Mandelbrot set</h2><img src=\"" + picture(experiment)
                    + "\" width=\"400\" height=\"400\" alt=\"the picture that the"
                    + " calls computed\"><figcaption>The picture: 200 calls of a row each; all cases draw the same, byte by"
                    + " byte.</figcaption></figure>\n");
        }
        page.add(experiment.charts(figures))
                .heading("All figures")
                .add(all(figures).toString());
        page.add("<div class=\"notes\">\n");
        experiment.notes().forEach(page::paragraph);
        return page.paragraph(
                        "± is half of the distance of the quartiles over the rounds, in percent of the median. Overhead is"
                                + " what a time exceeds its ideal by, in percent of the ideal.")
                .add("</div>\n")
                .toString();
    }

    private static String index(List<Experiment> experiments, List<Measurement> measurements, Origin origin) {
        HtmlPage page = new HtmlPage("Cleave: the papers' experiments", true)
                .add(
                        "<p class=\"lead\">Each page shows a paper's own tables, in their layout and seconds, and ours beside them."
                                + " Times of one machine mean nothing on another: what counts are ratios within one run.</p>\n")
                .add(origin.html());
        StringBuilder rows =
                new StringBuilder("<div class=\"scroll\"><table><thead><tr><th>experiment</th><th>question</th>"
                        + "<th>paper</th><th>Cleave</th></tr></thead><tbody>\n");
        for (Experiment experiment : experiments) {
            Figures figures = Figures.of(experiment.name(), measurements);
            if (figures.all().isEmpty()) {
                continue;
            }
            Experiment.Headline headline = experiment.headline(figures);
            rows.append("<tr><td><a href=\"" + experiment.name() + ".html\">" + HtmlPage.escape(experiment.title())
                    + "</a></td><td>" + HtmlPage.escape(experiment.question()) + "</td><td>"
                    + HtmlPage.escape(headline.paper()) + "</td><td>" + HtmlPage.escape(headline.ours())
                    + "</td></tr>\n");
        }
        return page.add(rows.append("</tbody></table></div>\n").toString())
                .add("<p>All figures as JSON: <a href=\"" + FIGURES + "\">" + FIGURES + "</a></p>\n")
                .toString();
    }

    private static HtmlTable all(Figures figures) {
        HtmlTable table = new HtmlTable("", "case", "metric", "value", "spread", "ideal", "overhead", "unit", "paper");
        for (Measurement m : figures.all()) {
            table.row(List.of(
                    Cell.of(m.caseName()),
                    Cell.of(m.metric()),
                    Cell.of(Figures.number(m.value())),
                    Cell.of(Figures.spread(m)),
                    Cell.of(Figures.number(m.ideal())),
                    Cell.of(Figures.overhead(m)),
                    Cell.of(m.unit()),
                    Cell.of(Figures.number(m.paper()))));
        }
        return table;
    }

    /** A chart of bars for each metric. */
    static String bars(Figures figures) {
        StringBuilder page = new StringBuilder();
        Map<String, List<Measurement>> charts = new LinkedHashMap<>();
        for (Measurement m : figures.all()) {
            if (!m.metric().equals(Figures.SCALE)) {
                charts.computeIfAbsent(m.metric(), t -> new ArrayList<>()).add(m);
            }
        }
        charts.forEach((metric, bars) -> page.append(HtmlPage.figure(metric, "", bars(bars, 1))));
        return page.toString();
    }

    /** One chart of bars: ours, the ideal, and the paper's divided by {@code scale}. */
    static String bars(List<Measurement> measurements, double scale) {
        if (measurements.isEmpty()) {
            return "";
        }
        List<Bar> bars = new ArrayList<>();
        for (Measurement m : measurements) {
            double spread = m.spread() == null ? 0 : m.value() * m.spread() / 100;
            bars.add(new Bar(
                    m.caseName(),
                    List.of(new Piece("ours", m.value())),
                    spread,
                    Figures.number(m.value()) + " Cleave",
                    ""));
            if (m.ideal() != null && m.ideal() != 0) {
                bars.add(Bar.of("", "light", m.ideal(), Figures.number(m.ideal()) + " ideal"));
            }
            if (m.paper() != null) {
                bars.add(Bar.of("", "gold", m.paper() / scale, Figures.number(m.paper() / scale) + " paper"));
            }
        }
        return BarChart.svg(bars, BarChart.ALONE, measurements.get(0).unit());
    }
}
