package dev.cleave.jmh.bench;

import dev.cleave.broker.report.TextTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures in a table, a line for each. */
final class MeasurementTable {

    private MeasurementTable() {}

    static List<String> lines(List<Measurement> measurements) {
        TextTable table = new TextTable("workload", "contender", "metric", "median", "unit", "spread", "ratio");
        for (Measurement m : measurements) {
            table.add(
                    m.workload(),
                    m.contender(),
                    m.metric().name(),
                    text(m.value(), m.value() != null && m.value() < 1000 ? "%.3f" : "%.0f", TextTable.NONE),
                    m.metric().unit(),
                    text(m.spread(), "%.0f %%", "-"),
                    text(m.ratioToFloor(), "%.3f", "-"));
        }
        return table.lines();
    }

    private static String text(@Nullable Double number, String format, String none) {
        return number == null ? none : String.format(Locale.ROOT, format, number);
    }
}
