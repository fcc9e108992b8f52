package dev.cleave.agent.report;

import dev.cleave.agent.plan.helper.HelperUse;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What callers make of the calls in helpers of other classes: those calls are told with the best of it. Confined to one thread. */
public final class HelperFates {

    private final Map<String, List<HelperUse>> byMethod = new LinkedHashMap<>();

    /** Makes one that knows nothing. */
    public HelperFates() {}

    /** Adds what one class makes of them. */
    public void add(List<HelperUse> uses) {
        uses.forEach(use -> byMethod.computeIfAbsent(use.type() + '.' + use.method(), key -> new ArrayList<>())
                .add(use));
    }

    /** The verdicts on a class, by name and descriptor of the method, once all callers are known. */
    public Map<String, List<Verdict>> on(String type, Map<String, List<Verdict>> verdicts) {
        Map<String, List<Verdict>> all = new LinkedHashMap<>(verdicts);
        all.replaceAll((method, own) -> {
            List<HelperUse> uses = byMethod.getOrDefault(type + '.' + method, List.of());
            return own.stream().map(verdict -> best(verdict, uses)).toList();
        });
        return all;
    }

    private static Verdict best(Verdict own, List<HelperUse> uses) {
        Verdict best = own;
        for (HelperUse use : uses) {
            Verdict with = own.outcome() == Verdict.Outcome.SEQUENTIAL ? use.on(own) : own;
            boolean isBetter = with.outcome() != Verdict.Outcome.SEQUENTIAL
                    ? best.outcome() == Verdict.Outcome.SEQUENTIAL || with.window() > best.window()
                    : best == own;
            best = isBetter ? with : best;
        }
        return best;
    }
}
