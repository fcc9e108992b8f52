package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One word on one remote method, and how many calls it would free.
 *
 * @param call the remote method, {@code Interface.method}
 * @param word as written in the source, {@code @Pure}
 */
record HelpfulWord(String call, String word, int calls) {

    /** The words for a program, those that free most first. */
    static List<HelpfulWord> in(List<MethodVerdicts> methods) {
        Map<String, HelpfulWord> counted = new TreeMap<>();
        for (MethodVerdicts method : methods) {
            for (Verdict verdict : method.verdicts()) {
                Remedy remedy = verdict.remedy();
                if (remedy != null) {
                    HelpfulWord one = new HelpfulWord(verdict.call(), remedy.word(), 1);
                    counted.merge(verdict.call() + ' ' + remedy.word(), one, HelpfulWord::and);
                }
            }
        }
        return counted.values().stream()
                .sorted(Comparator.comparingInt(HelpfulWord::calls).reversed())
                .toList();
    }

    private HelpfulWord and(HelpfulWord other) {
        return new HelpfulWord(call, word, calls + other.calls);
    }

    String sentence() {
        return word + " on " + call + " would free " + calls + (calls == 1 ? " call" : " calls");
    }
}
