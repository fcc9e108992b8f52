package dev.cleave.broker.report;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Draws lines over a logarithmic axis as SVG. */
public final class LineChart {

    private static final int LEFT = 46;
    private static final int TOP = 24;
    private static final int WIDE = 250;
    private static final int HIGH = 150;
    private static final int BELOW = 52;
    private static final double FEW_DECADES = 100;
    private static final int MARGIN = 12;
    private static final int COLORS = 6;
    private static final int HALF_DIGIT = 4; // about half the width of a digit

    private LineChart() {}

    /**
     * The two axes of a chart.
     *
     * @param across the title of the logarithmic axis, with its unit
     * @param upright the title of the upright axis, with its unit
     * @param logarithmic whether the upright axis is logarithmic, too: its values are positive then
     */
    public record Axes(String across, String upright, boolean logarithmic) {

        /** Checks its components. */
        public Axes {
            requireNonNull(across, "across");
            requireNonNull(upright, "upright");
        }
    }

    /**
     * Draws lines.
     *
     * @param lines the points by the name of the line
     */
    public static String svg(Map<String, TreeMap<Double, Double>> lines, Axes axes) {
        boolean logarithmic = axes.logarithmic();
        TreeSet<Double> across = new TreeSet<>();
        double least = logarithmic ? Double.MAX_VALUE : 0;
        double most = logarithmic ? 0 : 1;
        for (TreeMap<Double, Double> line : lines.values()) {
            across.addAll(line.keySet());
            for (double value : line.values()) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        Axis x = Axis.of(across.first(), across.last(), true, WIDE);
        Axis y = Axis.of(least, most, logarithmic, HIGH);
        Svg svg = new Svg();
        for (double mark : y.marks()) {
            svg.line("axis", LEFT, at(y, mark), LEFT + WIDE, at(y, mark));
            svg.text(LEFT - 5, at(y, mark) + 4, "end", "", name(mark + 0.0), ""); // -0 is 0
        }
        double last = -100;
        for (double size : across) {
            double place = LEFT + x.at(size);
            double half = HALF_DIGIT * name(size).length();
            if (place - half > last) {
                svg.text(place, TOP + HIGH + 15, "middle", "", name(size), "");
                last = place + half + 2 * HALF_DIGIT;
            }
        }
        svg.text(2, 11, "start", "mark", axes.upright(), "");
        svg.text(LEFT + WIDE / 2.0, TOP + HIGH + 31, "middle", "mark", axes.across(), "");
        int number = 0;
        for (Map.Entry<String, TreeMap<Double, Double>> line : lines.entrySet()) {
            add(svg, line.getKey(), line.getValue(), x, y, number++);
        }
        int rows = (lines.size() + 1) / 2;
        return svg.drawing("lines", LEFT + WIDE + MARGIN, TOP + HIGH + BELOW + 16 * rows);
    }

    private static void add(Svg svg, String name, TreeMap<Double, Double> points, Axis x, Axis y, int number) {
        String color = "l" + number % COLORS;
        svg.add("<polyline class=\"%s\" points=\"", color);
        points.forEach((size, value) -> svg.add("%.1f,%.1f ", LEFT + x.at(size), at(y, value)));
        svg.add("\"/>\n");
        points.forEach((size, value) -> svg.add(
                "<circle class=\"%s\" r=\"2.5\" cx=\"%.1f\" cy=\"%.1f\"/>\n", color, LEFT + x.at(size), at(y, value)));
        int left = LEFT + number % 2 * (WIDE / 2);
        int top = TOP + HIGH + BELOW - 2 + number / 2 * 16;
        svg.add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"12\" height=\"4\"/>\n", color, left, top - 6);
        svg.text(left + 17, top, "start", "", name, "");
    }

    private static double at(Axis y, double value) {
        return TOP + HIGH - y.at(value);
    }

    private static String name(double mark) {
        String text = String.format(Locale.ROOT, Math.abs(mark) < 1e-3 && mark != 0 ? "%.0e" : "%.4f", mark);
        return text.contains("e") ? text : text.replaceAll("\\.?0+$", "");
    }

    /**
     * Maps values to places.
     *
     * @param from the value at 0
     * @param to the value at {@code length}
     * @param logarithmic whether places go with the logarithm
     * @param length in units of the drawing
     */
    private record Axis(double from, double to, boolean logarithmic, int length) {

        static Axis of(double least, double most, boolean logarithmic, int length) {
            if (logarithmic) {
                return new Axis(least / 1.15, most * 1.15, true, length);
            }
            return new Axis(Math.floor(least * 2) / 2, Math.ceil(most * 2) / 2, false, length);
        }

        double at(double value) {
            return logarithmic
                    ? Math.log(value / from) / Math.log(to / from) * length
                    : (value - from) / (to - from) * length;
        }

        double[] marks() {
            if (!logarithmic) {
                double step = to - from > 4 ? Math.ceil((to - from) / 4) : 0.5;
                return DoubleStream.iterate(
                                Math.ceil(from / step) * step, mark -> mark <= to + 1e-9, mark -> mark + step)
                        .toArray();
            }
            double[] steps = to / from > FEW_DECADES ? new double[] {1} : new double[] {1, 2, 5};
            return IntStream.rangeClosed((int) Math.floor(Math.log10(from)), (int) Math.floor(Math.log10(to)))
                    .mapToDouble(power -> Math.pow(10, power))
                    .flatMap(power -> DoubleStream.of(steps).map(step -> step * power))
                    .filter(mark -> mark >= from && mark <= to)
                    .toArray();
        }
    }
}
