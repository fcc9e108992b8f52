package dev.cleave.jmh.bench.talk;

import static java.util.Objects.requireNonNull;

/** A metric.
 *
 * @param name such as {@code time}
 * @param unit such as {@code ms}
 */
public record Metric(String name, String unit) {

    /** Checks its components. */
    public Metric {
        requireNonNull(name, "name");
        requireNonNull(unit, "unit");
    }
}
