package dev.cleave.examples.demo;

import dev.cleave.broker.report.TextTable;
import java.util.List;
import java.util.Locale;

/**
 * What the demo found.
 *
 * @param comparisons the programs that ran both ways
 */
record Outcome(List<Comparison> comparisons) {

    /**
     * A program that ran without and with the agent.
     *
     * @param name what the table calls it
     * @param sequential its seconds without
     * @param cleaved its seconds with
     * @param identical whether it printed the same both times
     */
    record Comparison(String name, double sequential, double cleaved, boolean identical) {

        double speedup() {
            return sequential / cleaved;
        }
    }

    Outcome {
        comparisons = List.copyOf(comparisons);
    }

    boolean isIdentical() {
        return comparisons.stream().allMatch(Comparison::identical);
    }

    TextTable table() {
        TextTable table = new TextTable("", "sequential", "cleaved", "speed-up", "output");
        for (Comparison c : comparisons) {
            table.add(
                    c.name(),
                    seconds(c.sequential()),
                    seconds(c.cleaved()),
                    String.format(Locale.ROOT, "%.2f", c.speedup()),
                    c.identical() ? "identical" : "DIFFERENT");
        }
        return table;
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f s", seconds);
    }
}
