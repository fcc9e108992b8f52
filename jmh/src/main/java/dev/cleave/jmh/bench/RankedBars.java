package dev.cleave.jmh.bench;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;
import static java.util.Comparator.reverseOrder;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Draws the figures of one workload as horizontal bars in SVG, the best first, what is missing last. */
final class RankedBars {

    private static final Set<String> PEERS =
            Set.of("rmi", "thrift", "grpc", "grpc-direct", "dubbo", "rsocket", "kryonet");

    private static final int LEFT = 150;
    private static final int WIDE = 290;
    private static final int RIGHT = 130;
    private static final int ROW = 22;
    private static final int BAR = 14;

    private RankedBars() {}

    static String svg(List<Measurement> measurements, String floor, boolean moreIsBetter) {
        Comparator<Double> best = moreIsBetter ? reverseOrder() : naturalOrder();
        List<Measurement> ranked = measurements.stream()
                .sorted(comparing(Measurement::value, nullsLast(best)))
                .toList();
        double most = ranked.stream()
                .mapToDouble(m -> m.value() == null ? 0 : m.value())
                .max()
                .orElse(0);
        StringBuilder shapes = new StringBuilder();
        int y = 0;
        for (Measurement m : ranked) {
            shapes.append(text(LEFT - 8, y, "end", "", m.contender()));
            shapes.append(m.value() == null ? text(LEFT, y, "start", "none", "n/a") : bar(m, y, most, floor));
            y += ROW;
        }
        return String.format(
                Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\">%n%s</svg>%n", LEFT + WIDE + RIGHT, y, shapes);
    }

    private static String bar(Measurement m, int y, double most, String floor) {
        double value = m.value() == null ? 0 : m.value();
        double width = Math.max(1, value / Math.max(most, Double.MIN_NORMAL) * WIDE);
        double spread = m.spread() == null ? 0 : width * m.spread() / 200;
        double end = Math.min(WIDE, width + spread);
        String ratio = m.ratioToFloor() == null || m.contender().equals(floor)
                ? ""
                : String.format(Locale.ROOT, "  x %.2f", m.ratioToFloor());
        String number = String.format(Locale.ROOT, value < 1000 ? "%.3g" : "%,.0f", value);
        int middle = y + (ROW - 2) / 2;
        return String.format(
                        Locale.ROOT,
                        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n"
                                + "<line class=\"spread\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                        kind(m.contender(), floor),
                        LEFT,
                        y + (ROW - BAR) / 2 - 1,
                        width,
                        BAR,
                        LEFT + Math.max(0, width - spread),
                        middle,
                        LEFT + end,
                        middle)
                + text(LEFT + (int) end + 8, y, "start", "", number, ratio);
    }

    private static String kind(String contender, String floor) {
        if (contender.equals(floor)) {
            return "floor";
        }
        if (contender.startsWith("cleave") || contender.equals("agent")) {
            return "cleave";
        }
        return PEERS.contains(contender) ? "peer" : "bare";
    }

    private static String text(int x, int y, String anchor, String kind, String words) {
        return text(x, y, anchor, kind, words, "");
    }

    private static String text(int x, int y, String anchor, String kind, String words, String ratio) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">%s<tspan class=\"ratio\">%s</tspan></text>%n",
                x,
                y + ROW - 7,
                anchor,
                kind,
                BenchPage.escape(words),
                BenchPage.escape(ratio));
    }
}
