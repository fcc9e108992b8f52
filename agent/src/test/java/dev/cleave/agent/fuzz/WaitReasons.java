package dev.cleave.agent.fuzz;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** For how many round trips rewritten programs wait, by what the agent says of the calls at the places where they wait. */
final class WaitReasons {

    private final Map<String, Long> roundTrips = new HashMap<>();

    /** Adds what one program waited at its places. */
    void add(Map<ProgramPlace, Long> waits, Map<ProgramPlace, List<Verdict>> verdicts) {
        waits.forEach((place, waited) ->
                roundTrips.merge(reason(verdicts.getOrDefault(place, List.of())), waited, Long::sum));
    }

    /** Of several calls in a line the one that stays where it is says most. */
    private static String reason(List<Verdict> ofLine) {
        return ofLine.stream()
                .filter(verdict -> verdict.refusal() != null)
                .findFirst()
                .map(verdict -> reason(verdict.refusal()))
                .orElseGet(() -> ofLine.isEmpty()
                        ? "no verdict at this line"
                        : ofLine.get(0).outcome().name().toLowerCase(Locale.ROOT));
    }

    private static String reason(Refusal refusal) {
        return refusal.rule().name() + ": "
                + refusal.reason().replaceAll("[A-Za-z_$.]*P[0-9]+[$.][A-Za-z0-9_$.]*", "..");
    }

    /** The reasons with their round trips, most first. */
    List<Map.Entry<String, Long>> dearest(int most) {
        return roundTrips.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .toList();
    }
}
