package dev.cleave.broker.report;

import dev.cleave.text.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of aligned columns; numbers are aligned to the right. Cells show names of peers and files in one line, without characters that
 * steer a terminal.
 */
public final class TextTable {

    /** The cell for a number that is unknown. */
    public static final String NONE = "n/a";

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with column headings. */
    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    /** Adds a row, which has a cell for each column. */
    public void add(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    "cells: " + cells.length + " (expected: " + rows.get(0).size() + ")");
        }
        rows.add(Arrays.stream(cells).map(Printable::line).toList());
    }

    /** The lines of the table. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? "" : GAP).append(isNumeric(column) ? padding + cell : cell + padding);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private boolean isNumeric(int column) {
        return rows.size() > 1
                && rows.stream()
                        .skip(1)
                        .allMatch(row -> row.get(column).isEmpty()
                                || row.get(column).equals("-")
                                || row.get(column).equals(NONE)
                                || Character.isDigit(row.get(column).charAt(0)));
    }
}
