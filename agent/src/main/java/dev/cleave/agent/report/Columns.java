package dev.cleave.agent.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Aligns the cells of lines in columns. Cells show names of class files in one line. */
final class Columns {

    private final String alignment;
    private final List<String[]> rows = new ArrayList<>();

    /** Creates empty columns.
     *
     * @param alignment a letter for each column: {@code l} for left, {@code r} for right
     */
    Columns(String alignment) {
        this.alignment = alignment;
    }

    void add(String... cells) {
        if (cells.length != alignment.length()) {
            throw new IllegalArgumentException("cells: " + cells.length + " (expected: " + alignment.length() + ")");
        }
        rows.add(Arrays.stream(cells).map(Plain::line).toArray(String[]::new));
    }

    /** Returns the lines, each after an indent, without trailing blanks. */
    String text(String indent) {
        int[] widths = new int[alignment.length()];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < row.length; i++) {
                String blanks = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : "  ");
                line.append(alignment.charAt(i) == 'r' ? blanks + row[i] : row[i] + blanks);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
