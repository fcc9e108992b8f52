package dev.cleave.jmh.bench;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;
import static java.util.Comparator.reverseOrder;

import dev.cleave.broker.report.BarChart;
import dev.cleave.broker.report.BarChart.Bar;
import dev.cleave.broker.report.BarChart.Piece;
import dev.cleave.broker.report.HtmlPage;
import dev.cleave.broker.report.TextTable;
import dev.cleave.jmh.bench.talk.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A page of its own, without any other file, that shows each workload as bars, the best first. */
final class BenchPage {

    private static final Set<String> PEERS =
            Set.of("rmi", "thrift", "grpc", "grpc-direct", "dubbo", "rsocket", "kryonet");

    private static final String FLOOR = "dark";
    private static final String BARE = "grey";
    private static final String PEER = "sand";
    private static final String OURS = "ours";

    private BenchPage() {}

    static String of(String how, List<Result> results) {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(FLOOR, "the floor");
        meanings.put(BARE, "without middleware, or by hand");
        meanings.put(PEER, "other middleware");
        meanings.put(OURS, "Cleave");
        HtmlPage page = new HtmlPage("Cleave: bench", true)
                .paragraph(how)
                .legend(meanings)
                .paragraph(
                        "Medians over the rounds; the fine line is the distance of the quartiles; in grey the ratio to "
                                + "the floor.");
        for (Result result : results) {
            page.add("<div class=\"grid\">\n");
            charts(result).forEach((workload, bars) -> page.add(figure(workload, bars, result.floor())));
            page.add("</div>\n<div class=\"notes\">\n");
            result.notes().forEach(page::paragraph);
            page.add("</div>\n");
        }
        return page.toString();
    }

    private static Map<String, List<Measurement>> charts(Result result) {
        Map<String, List<Measurement>> charts = new LinkedHashMap<>();
        for (Measurement m : result.measurements()) {
            charts.computeIfAbsent(m.workload() + ", " + m.metric().name(), key -> new ArrayList<>())
                    .add(m);
        }
        return charts;
    }

    private static String figure(String title, List<Measurement> measurements, String floor) {
        Metric metric = measurements.get(0).metric();
        boolean isRate = metric.name().equals("rate");
        Comparator<Double> best = isRate ? reverseOrder() : naturalOrder();
        List<Bar> ranked = measurements.stream()
                .sorted(comparing(Measurement::value, nullsLast(best)))
                .map(m -> bar(m, floor))
                .toList();
        String caption = metric.unit() + ", " + (isRate ? "more" : "less") + " is better";
        return HtmlPage.figure(title, caption, BarChart.svg(ranked, BarChart.BESIDE));
    }

    private static Bar bar(Measurement m, String floor) {
        Double value = m.value();
        if (value == null) {
            return new Bar(m.contender(), List.of(), 0, TextTable.NONE, "");
        }
        double spread = m.spread() == null ? 0 : value * m.spread() / 100;
        String number = String.format(Locale.ROOT, value < 1000 ? "%.3g" : "%,.0f", value);
        String ratio = m.ratioToFloor() == null || m.contender().equals(floor)
                ? ""
                : String.format(Locale.ROOT, "  x %.2f", m.ratioToFloor());
        List<Piece> pieces = List.of(new Piece(color(m.contender(), floor), value));
        return new Bar(m.contender(), pieces, spread, number, ratio);
    }

    private static String color(String contender, String floor) {
        if (contender.equals(floor)) {
            return FLOOR;
        }
        if (contender.startsWith("cleave") || contender.equals("agent")) {
            return OURS;
        }
        return PEERS.contains(contender) ? PEER : BARE;
    }
}
