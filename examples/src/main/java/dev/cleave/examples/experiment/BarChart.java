package dev.cleave.examples.experiment;

import java.util.List;
import java.util.Locale;

/** Draws horizontal bars as SVG. */
final class BarChart {

    private static final int LEFT = 190;
    private static final int WIDE = 520;
    private static final int HEIGHT = 18;
    private static final int GAP = 14;

    private BarChart() {}

    /**
     * A bar.
     *
     * @param label what stands before it; empty for a further bar of the case above
     * @param kind whose figure it is: {@code ours}, {@code ideal} or {@code paper}
     * @param value how long it is
     * @param text what stands behind it
     */
    record Bar(String label, String kind, double value, String text) {}

    static String svg(List<Bar> bars) {
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder shapes = new StringBuilder();
        int y = 0;
        for (Bar bar : bars) {
            y += bar.label().isEmpty() ? 0 : GAP;
            double width = Math.max(1, bar.value() / Math.max(most, Double.MIN_NORMAL) * WIDE);
            shapes.append(text(0, y, bar.label()))
                    .append(String.format(
                            Locale.ROOT,
                            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n",
                            bar.kind(),
                            LEFT,
                            y,
                            width,
                            HEIGHT - 2))
                    .append(text(LEFT + (int) width + 8, y, bar.text() + " " + bar.kind()));
            y += HEIGHT;
        }
        return String.format("<svg viewBox=\"0 0 %d %d\" role=\"img\">%n", LEFT + WIDE + 190, y + GAP) + shapes
                + "</svg>\n";
    }

    private static String text(int x, int y, String text) {
        return text.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>\n", x, y + HEIGHT - 5, Page.escape(text));
    }
}
