package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Verdicts counted.
 *
 * @param classes how many classes call remote methods
 * @param counts how many calls have each outcome; outcomes that never occur are absent
 */
record Tally(int classes, Map<Verdict.Outcome, Integer> counts) {

    static Tally of(List<MethodVerdicts> methods) {
        Map<Verdict.Outcome, Integer> counts = new EnumMap<>(Verdict.Outcome.class);
        for (MethodVerdicts method : methods) {
            for (Verdict verdict : method.verdicts()) {
                if (!verdict.isHelpers()) {
                    counts.merge(verdict.outcome(), 1, Integer::sum);
                }
            }
        }
        return new Tally(
                (int) methods.stream().map(MethodVerdicts::type).distinct().count(), counts);
    }

    int calls() {
        return counts.values().stream().mapToInt(Integer::intValue).sum() - laters();
    }

    /** How many parameters and results may arrive later. */
    private int laters() {
        return counts.getOrDefault(Verdict.Outcome.LATER, 0);
    }

    String sentence() {
        String later = laters() == 0
                ? ""
                : "; " + laters() + (laters() == 1 ? " value that arrives" : " values that arrive") + " later";
        if (calls() == 0) {
            return "no remote calls" + later;
        }
        List<String> parts = new ArrayList<>();
        counts.forEach((outcome, count) -> {
            if (outcome != Verdict.Outcome.LATER) {
                parts.add(count + " " + Wording.of(outcome));
            }
        });
        return calls()
                + (calls() == 1 ? " remote call in " : " remote calls in ")
                + classes
                + (classes == 1 ? " class: " : " classes: ")
                + String.join(", ", parts)
                + later;
    }
}
