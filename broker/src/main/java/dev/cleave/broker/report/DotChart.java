package dev.cleave.broker.report;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Draws ratios as dots over an axis that spans the ratios alone, so that 1.00 and 1.05 are far apart. A broken line is at 1. Beyond a
 * factor of ten between the least and the greatest ratio the axis is logarithmic.
 */
public final class DotChart {

    private static final double LETTER = 8.4;
    private static final int SPACE = 10;
    private static final int ROW = 22;
    private static final int BEHIND = 190;
    private static final double LOGARITHMIC_FROM = 10;

    private DotChart() {}

    /**
     * A row of the chart.
     *
     * @param label the text before it
     * @param value our ratio
     * @param spread the distance of its quartiles; 0 if unknown
     * @param paper the paper's ratio, or null
     * @param ideal the best possible ratio, or null
     */
    public record Dot(
            String label,
            double value,
            double spread,
            @Nullable Double paper,
            @Nullable Double ideal) {

        /** Checks its components. */
        public Dot {
            requireNonNull(label, "label");
        }

        DoubleStream numbers() {
            return DoubleStream.concat(
                    DoubleStream.of(Math.max(value / 2, value - spread / 2), value + spread / 2, value),
                    DoubleStream.of(paper == null ? value : paper, ideal == null ? value : ideal));
        }
    }

    /**
     * Draws dots one below the other; {@code dots} has one at least.
     *
     * @param title the title of the axis
     */
    public static String svg(List<Dot> dots, String title) {
        double[] numbers = dots.stream()
                .flatMapToDouble(Dot::numbers)
                .filter(n -> n > 0)
                .sorted()
                .toArray();
        double least = Math.min(1, numbers[0]);
        double most = Math.max(1, numbers[numbers.length - 1]);
        boolean logarithmic = most / least > LOGARITHMIC_FROM;
        double step = logarithmic ? 0 : step((most - least) / 5);
        double from = logarithmic ? least / 1.2 : Math.floor(least / step - 1e-9) * step;
        double to = logarithmic ? most * 1.2 : Math.ceil(most / step + 1e-9) * step;
        int letters = dots.stream().mapToInt(dot -> dot.label().length()).max().orElse(0);
        double left = Math.min(280, letters * LETTER + SPACE);
        double wide = BarChart.ALONE - left - BEHIND;
        Scale scale = new Scale(from, to, left, wide, logarithmic);
        Svg svg = new Svg();
        int high = dots.size() * ROW + 4;
        for (double mark : logarithmic ? powers(from, to) : marks(from, to, step)) {
            svg.line("axis", scale.at(mark), 0, scale.at(mark), high);
            svg.text(scale.at(mark), high + 14, "middle", "mark", name(mark), "");
        }
        svg.line("one", scale.at(1), 0, scale.at(1), high);
        svg.text(left + wide / 2, high + 30, "middle", "mark", title + (logarithmic ? " (logarithmic)" : ""), "");
        double y = ROW / 2.0 + 2;
        for (Dot dot : dots) {
            draw(svg, dot, scale, y, left, wide);
            y += ROW;
        }
        return svg.drawing("dots", BarChart.ALONE, high + 36);
    }

    private static void draw(Svg svg, Dot dot, Scale scale, double y, double left, double wide) {
        svg.text(left - SPACE, y + 4, "end", "", dot.label(), "");
        if (dot.spread() > 0) {
            double low = Math.max(scale.from(), dot.value() - dot.spread() / 2);
            svg.line("spread", scale.at(low), y, scale.at(dot.value() + dot.spread() / 2), y);
        }
        if (dot.ideal() != null) {
            svg.rect("light", scale.at(dot.ideal()) - 1.5, y - 8, 3, 16);
        }
        if (dot.paper() != null) {
            double x = scale.at(dot.paper());
            svg.add("<path class=\"gold\" d=\"M%.1f %.1fl6 6l-6 6l-6 -6z\"/>\n", x, y - 6);
        }
        svg.add("<circle class=\"ours\" r=\"5\" cx=\"%.1f\" cy=\"%.1f\"/>\n", scale.at(dot.value()), y);
        String paper = dot.paper() == null ? "" : "  paper " + name(dot.paper());
        svg.text(left + wide + SPACE, y + 4, "start", "", name(dot.value()), paper);
    }

    /** The least of 1, 2 and 5 times a power of ten that is not below {@code rough}. */
    private static double step(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(rough, 1e-3))));
        return DoubleStream.of(1, 2, 5, 10)
                .map(times -> times * power)
                .filter(step -> step >= rough - 1e-12)
                .findFirst()
                .orElse(10 * power);
    }

    private static double[] marks(double from, double to, double step) {
        return DoubleStream.iterate(from, mark -> mark <= to + step / 1e6, mark -> mark + step)
                .toArray();
    }

    private static double[] powers(double from, double to) {
        return DoubleStream.iterate(
                        Math.pow(10, Math.floor(Math.log10(from))), power -> power <= to, power -> power * 10)
                .flatMap(power -> DoubleStream.of(power, 2 * power, 5 * power))
                .filter(mark -> mark >= from && mark <= to)
                .toArray();
    }

    private static String name(double ratio) {
        String format = ratio >= 100 ? "%.0f" : ratio >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, ratio);
    }

    /**
     * Maps ratios to places.
     *
     * @param from the ratio at {@code left}
     * @param to the ratio at {@code left + wide}
     */
    private record Scale(double from, double to, double left, double wide, boolean logarithmic) {

        double at(double ratio) {
            double part = logarithmic ? Math.log(ratio / from) / Math.log(to / from) : (ratio - from) / (to - from);
            return left + part * wide;
        }
    }
}
