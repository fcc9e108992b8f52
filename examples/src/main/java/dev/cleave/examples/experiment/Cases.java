package dev.cleave.examples.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of several rounds, by case. */
final class Cases {

    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    void add(String caseName, double value) {
        values.computeIfAbsent(caseName, name -> new ArrayList<>()).add(value);
    }

    double median(String caseName) {
        return Median.of(of(caseName));
    }

    /** The distance of the quartiles in percent of the median. */
    double spread(String caseName) {
        return Median.spread(of(caseName));
    }

    /** The median of the ratios of two cases, each taken within one round. */
    double medianRatio(String over, String under) {
        return Median.of(ratios(over, under));
    }

    /** The distance of the quartiles of these ratios in percent of their median. */
    double spreadOfRatio(String over, String under) {
        return Median.spread(ratios(over, under));
    }

    private List<Double> ratios(String over, String under) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < of(over).size(); round++) {
            ratios.add(of(over).get(round) / of(under).get(round));
        }
        return ratios;
    }

    private List<Double> of(String caseName) {
        List<Double> rounds = values.get(caseName);
        if (rounds == null) {
            throw new IllegalArgumentException("case: " + caseName + " (expected: one of " + values.keySet() + ")");
        }
        return rounds;
    }
}
