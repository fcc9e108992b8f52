package dev.cleave.jmh.bench;

import static java.util.Objects.requireNonNull;

/**
 * What a figure says.
 *
 * @param name such as {@code time}
 * @param unit such as {@code ms}
 */
record Metric(String name, String unit) {

    Metric {
        requireNonNull(name, "name");
        requireNonNull(unit, "unit");
    }
}
