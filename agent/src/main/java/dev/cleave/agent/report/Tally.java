package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The numbers of verdicts.
 *
 * @param classes the number of classes that call remote methods
 * @param counts the number of calls with each outcome; outcomes that never occur are absent
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

    /** The number of {@code @Later} parameters and results. */
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
