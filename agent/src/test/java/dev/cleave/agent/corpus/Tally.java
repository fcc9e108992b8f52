package dev.cleave.agent.corpus;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of the calls of some classes, counted. */
final class Tally {

    private int classes;
    private int changed;
    private int sites;
    private int overlapping;
    private int inLoop;
    private int inLoopOverlapping;
    private int independent;
    private int independentOverlapping;
    private long nanos;
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Map<String, Integer> independentReasons = new TreeMap<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();

    void addClass(boolean isChanged, long took) {
        classes++;
        changed += isChanged ? 1 : 0;
        nanos += took;
    }

    void addFailure(String failure) {
        classes++;
        failures.add(failure);
    }

    void addSite(Verdict verdict, LoopSites.Standing standing) {
        boolean overlaps = verdict.outcome() != Verdict.Outcome.SEQUENTIAL;
        sites++;
        overlapping += overlaps ? 1 : 0;
        outcomes.merge(verdict.outcome().name(), 1, Integer::sum);
        if (standing != LoopSites.Standing.OUTSIDE) {
            inLoop++;
            inLoopOverlapping += overlaps ? 1 : 0;
        }
        if (standing == LoopSites.Standing.INDEPENDENT) {
            independent++;
            independentOverlapping += overlaps ? 1 : 0;
        }
        Refusal refusal = verdict.refusal();
        if (refusal != null && standing != LoopSites.Standing.OUTSIDE) {
            String reason = refusal.rule() + ": " + withoutNames(refusal.reason());
            reasons.merge(reason, 1, Integer::sum);
            if (standing == LoopSites.Standing.INDEPENDENT) {
                independentReasons.merge(reason, 1, Integer::sum);
            }
        }
    }

    void add(Tally other) {
        classes += other.classes;
        changed += other.changed;
        sites += other.sites;
        overlapping += other.overlapping;
        inLoop += other.inLoop;
        inLoopOverlapping += other.inLoopOverlapping;
        independent += other.independent;
        independentOverlapping += other.independentOverlapping;
        nanos += other.nanos;
        failures.addAll(other.failures);
        other.reasons.forEach((reason, count) -> reasons.merge(reason, count, Integer::sum));
        other.independentReasons.forEach((reason, count) -> independentReasons.merge(reason, count, Integer::sum));
        other.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Integer::sum));
    }

    int classes() {
        return classes;
    }

    int changed() {
        return changed;
    }

    int sites() {
        return sites;
    }

    int inLoop() {
        return inLoop;
    }

    int inLoopOverlapping() {
        return inLoopOverlapping;
    }

    int independent() {
        return independent;
    }

    int independentOverlapping() {
        return independentOverlapping;
    }

    int overlapping() {
        return overlapping;
    }

    long millis() {
        return nanos / 1_000_000;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /** How often each reason kept a call in a loop where it was; the most frequent first. */
    List<Map.Entry<String, Integer>> reasons() {
        return reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** How often a reason kept a call in a loop where it was that depends on no result by locals. */
    int independent(String reason) {
        return independentReasons.getOrDefault(reason, 0);
    }

    Map<String, Integer> outcomes() {
        return Map.copyOf(outcomes);
    }

    /** Reasons that differ in the names of methods and fields only are one. */
    private static String withoutNames(String reason) {
        return reason.replaceAll("[\\w$]+(?:\\.[\\w$<>]+)+(?:\\(\\))?", "...");
    }
}
