package dev.cleave.broker.report;

import java.util.Locale;

/** A drawing: shapes with a class each, which the style of the page colours. */
final class Svg {

    private final StringBuilder shapes = new StringBuilder();

    Svg add(String format, Object... values) {
        shapes.append(String.format(Locale.ROOT, format, values));
        return this;
    }

    Svg rect(String kind, double x, double y, double width, double height) {
        return add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>\n",
                kind, x, y, width, height);
    }

    Svg line(String kind, double x, double y, double toX, double toY) {
        return add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x, y, toX, toY);
    }

    /**
     * Adds a text.
     *
     * @param anchor the part of the text that stands at {@code x}: {@code start}, {@code middle} or {@code end}
     * @param note the text in grey behind it, or the empty text
     */
    Svg text(double x, double y, String anchor, String kind, String text, String note) {
        String grey = note.isEmpty() ? "" : "<tspan class=\"note\">" + HtmlPage.escape(note) + "</tspan>";
        return add(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s%s</text>\n",
                kind, anchor, x, y, HtmlPage.escape(text), grey);
    }

    String drawing(String kind, int width, int height) {
        return String.format(
                "<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\">%n%s</svg>%n", kind, width, height, shapes);
    }
}
