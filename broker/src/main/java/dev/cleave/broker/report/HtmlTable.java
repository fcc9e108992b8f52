package dev.cleave.broker.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of a page. Cells are text; a column is aligned to the right if a cell of it is a number. */
public final class HtmlTable {

    private final String caption;
    private final List<String> heads;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * A cell.
     *
     * @param text its text
     * @param note a smaller text behind it
     * @param kind a class of {@link HtmlPage}: {@code input}, {@code paper}, or the empty text
     */
    public record Cell(String text, String note, String kind) {

        /** Checks its components. */
        public Cell {
            requireNonNull(text, "text");
            requireNonNull(note, "note");
            requireNonNull(kind, "kind");
        }

        /** A cell of text alone. */
        public static Cell of(String text) {
            return new Cell(text, "", "");
        }

        boolean isNumber() {
            return text.matches("[-+x]?[0-9][0-9,.]*( ?%)?");
        }
    }

    /**
     * Creates a table without rows.
     *
     * @param caption the line above it; the empty text for none
     */
    public HtmlTable(String caption, String... heads) {
        this.caption = requireNonNull(caption, "caption");
        this.heads = List.of(heads);
    }

    /** Adds a row, which has a cell for each column. */
    public HtmlTable row(List<Cell> cells) {
        if (cells.size() != heads.size()) {
            throw new IllegalArgumentException("cells: " + cells.size() + " (expected: " + heads.size() + ")");
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** Adds a row of texts. */
    public HtmlTable row(String... texts) {
        return row(Arrays.stream(texts).map(Cell::of).toList());
    }

    /** Returns the HTML of the table. */
    @Override
    public String toString() {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>");
        if (!caption.isEmpty()) {
            html.append("<caption>").append(HtmlPage.escape(caption)).append("</caption>");
        }
        html.append("<thead><tr>");
        for (int column = 0; column < heads.size(); column++) {
            html.append(isNumeric(column) ? "<th class=\"n\">" : "<th>")
                    .append(HtmlPage.escape(heads.get(column)))
                    .append("</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
        for (List<Cell> row : rows) {
            html.append("<tr>");
            for (int column = 0; column < row.size(); column++) {
                cell(html, row.get(column), isNumeric(column));
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static void cell(StringBuilder html, Cell cell, boolean numeric) {
        String kind = (numeric ? "n " : "") + cell.kind();
        html.append(kind.isBlank() ? "<td>" : "<td class=\"" + kind.strip() + "\">")
                .append(HtmlPage.escape(cell.text()));
        if (!cell.note().isEmpty()) {
            html.append(" <small>").append(HtmlPage.escape(cell.note())).append("</small>");
        }
        html.append("</td>");
    }

    private boolean isNumeric(int column) {
        return rows.stream().anyMatch(row -> row.get(column).isNumber());
    }
}
