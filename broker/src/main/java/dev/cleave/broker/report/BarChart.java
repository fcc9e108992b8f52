package dev.cleave.broker.report;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;

/** Draws horizontal bars as SVG. */
public final class BarChart {

    /** The width of a chart that stands alone. */
    public static final int ALONE = 900;

    /** The width of each of two charts side by side. */
    public static final int BESIDE = 560;

    private static final double LETTER = 7.8;
    private static final int SPACE = 8;
    private static final int ROW = 18;
    private static final int BAR = 14;

    private BarChart() {}

    /**
     * A piece of a bar.
     *
     * @param color the name of a colour of {@link HtmlPage}
     * @param value its length
     */
    public record Piece(String color, double value) {

        /** Checks its components. */
        public Piece {
            requireNonNull(color, "color");
        }
    }

    /**
     * A bar.
     *
     * @param label the text before it; empty for a further bar of the case above
     * @param pieces its pieces in order; none if there is no figure
     * @param spread the length of the fine line at its end
     * @param text the text behind it
     * @param note the text behind that, in grey
     */
    public record Bar(String label, List<Piece> pieces, double spread, String text, String note) {

        /** Checks its components, and copies the list. */
        public Bar {
            requireNonNull(label, "label");
            requireNonNull(text, "text");
            requireNonNull(note, "note");
            pieces = List.copyOf(pieces);
        }

        /** A bar of one piece. */
        public static Bar of(String label, String color, double value, String text) {
            return new Bar(label, List.of(new Piece(color, value)), 0, text, "");
        }

        double value() {
            return pieces.stream().mapToDouble(Piece::value).sum();
        }
    }

    /** Draws bars one below the other. */
    public static String svg(List<Bar> bars, int width) {
        return svg(bars, width, "");
    }

    /**
     * Draws bars one below the other, over an axis from 0.
     *
     * @param axis the title of the axis with its unit; the empty text for no axis
     */
    public static String svg(List<Bar> bars, int width, String axis) {
        double most = Math.max(bars.stream().mapToDouble(Bar::value).max().orElse(0), Double.MIN_NORMAL);
        int letters = bars.stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
        int behind = bars.stream()
                .mapToInt(bar -> bar.text().length() + bar.note().length())
                .max()
                .orElse(0);
        double left = Math.min(width / 2.5, letters * LETTER + SPACE);
        double wide = width - left - 2 * SPACE - Math.min(width / 3.0, behind * LETTER);
        double gap = bars.stream().anyMatch(bar -> bar.label().isEmpty()) ? 12 : 4;
        Svg svg = new Svg();
        int high = axis.isEmpty() ? 0 : axis(svg, axis, most, left, wide, height(bars, gap));
        double y = 0;
        for (Bar bar : bars) {
            y += bar.label().isEmpty() ? 0 : gap;
            double base = y + BAR - 2;
            if (!bar.label().isEmpty()) {
                svg.text(left - SPACE, base, "end", "", bar.label(), "");
            }
            double x = left;
            for (Piece piece : bar.pieces()) {
                double length = Math.max(bar.pieces().size() == 1 ? 1 : 0, piece.value() / most * wide);
                svg.rect(piece.color(), x, y, length, BAR);
                x += length;
            }
            double spread = bar.spread() / 2 / most * wide;
            if (spread > 0) {
                double end = Math.min(left + wide, x + spread);
                svg.line("spread", Math.max(left, x - spread), y + BAR / 2.0, end, y + BAR / 2.0);
                x = end;
            }
            svg.text(x + SPACE, base, "start", bar.pieces().isEmpty() ? "none" : "", bar.text(), bar.note());
            y += ROW;
        }
        return svg.drawing("bars", width, (int) y + high);
    }

    private static double height(List<Bar> bars, double gap) {
        return bars.size() * (double) ROW
                + gap * bars.stream().filter(bar -> !bar.label().isEmpty()).count();
    }

    /** Draws marks and the title of the axis below {@code bottom}, and returns the height of both. */
    private static int axis(Svg svg, String title, double most, double left, double wide, double bottom) {
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        double step = most / power >= 5 ? power : most / power >= 2 ? power / 2 : power / 5;
        for (double mark = 0; mark <= most * 1.0001; mark += step) {
            double x = left + mark / most * wide;
            svg.line("axis", x, 0, x, bottom);
            svg.text(
                    x,
                    bottom + 13,
                    "middle",
                    "mark",
                    String.format(Locale.ROOT, "%.3g", mark).replaceAll("\\.0+$", ""),
                    "");
        }
        svg.text(left + wide / 2, bottom + 29, "middle", "mark", title, "");
        return 34;
    }
}
