package dev.cleave.examples.experiment;

import dev.cleave.broker.report.DotChart;
import dev.cleave.broker.report.DotChart.Dot;
import dev.cleave.broker.report.HtmlTable.Cell;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one experiment, by case and metric, as text for the cells of a page. A figure that was not measured is a dash.
 *
 * @param all the figures in the order in which they are printed
 */
record Figures(List<Measurement> all) {

    /** The metric whose value is the number of the paper's units in one of ours. */
    static final String SCALE = "scale";

    /** The text of a cell without a figure. */
    static final String NONE = "-";

    Figures {
        all = List.copyOf(all);
    }

    static Figures of(String experiment, List<Measurement> measurements) {
        return new Figures(measurements.stream()
                .filter(m -> m.experiment().equals(experiment))
                .toList());
    }

    @Nullable
    Measurement find(String caseName, String metric) {
        return metric(metric)
                .filter(m -> m.caseName().equals(caseName))
                .findFirst()
                .orElse(null);
    }

    Stream<Measurement> metric(String metric) {
        return all.stream().filter(m -> m.metric().equals(metric));
    }

    /** The figure of a case, or NaN if it was not measured. */
    double value(String caseName, String metric) {
        Measurement found = find(caseName, metric);
        return found == null ? Double.NaN : found.value();
    }

    /** The ideal of a case, or NaN. */
    double ideal(String caseName, String metric) {
        Measurement found = find(caseName, metric);
        return found == null || found.ideal() == null ? Double.NaN : found.ideal();
    }

    /** A cell with a figure times a factor, and the spread of its rounds. */
    Cell cell(String caseName, String metric, double factor, String kind) {
        Measurement found = find(caseName, metric);
        if (found == null) {
            return new Cell(NONE, "", kind);
        }
        return new Cell(number(found.value() * factor), spread(found), kind);
    }

    static String spread(Measurement m) {
        return m.spread() == null ? "" : String.format(Locale.ROOT, "± %.1f %%", m.spread() / 2);
    }

    /**
     * By how much a time exceeds its ideal, in percent of that; empty for what is no time, or has no ideal. The ratio of products is one of
     * times, which have no lines of their own.
     */
    static String overhead(Measurement m) {
        boolean isTime = m.unit().equals("s")
                || m.unit().equals("us")
                || m.experiment().equals("dgemm") && m.metric().equals("ratio");
        return !isTime || m.ideal() == null || m.ideal() <= 0
                ? ""
                : String.format(Locale.ROOT, "%.1f %%", 100 * (m.value() / m.ideal() - 1));
    }

    /** Three digits of a number, or a dash of one that is none. */
    static String number(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        String format = size == 0
                ? "%.0f"
                : size < 1e-3 ? "%.1e" : size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, value);
    }

    /** The ratios of a metric as dots over an axis that does not begin at 0; empty if there are none. */
    String dots(String metric, String title, Predicate<Measurement> of) {
        List<Dot> dots = metric(metric)
                .filter(of)
                .map(m -> new Dot(
                        m.caseName(),
                        m.value(),
                        m.spread() == null ? 0 : m.value() * m.spread() / 100,
                        m.paper(),
                        m.ideal()))
                .toList();
        return dots.isEmpty() ? "" : DotChart.svg(dots, title);
    }
}
