package dev.cleave.agent.plan.loop;

import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.NestIterations;
import dev.cleave.agent.plan.order.SkippedCode;
import dev.cleave.agent.plan.verdict.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ways that branches are assumed to take if they depend on results: on with the loop, and to the call. Such calls
 * are sent although the program may then not reach them (R37, R38, T2).
 */
final class Assumptions {

    private final Method method;
    private final Region region;
    private final NestIterations steps;
    private final Map<Integer, Integer> ways = new HashMap<>();

    Assumptions(Method method, Region region, NestIterations steps) {
        this.method = method;
        this.region = region;
        this.steps = steps;
    }

    /** Returns the region under the assumptions so far. */
    Region view() {
        return region.assuming(ways);
    }

    /** Whether nothing is assumed. */
    boolean isEmpty() {
        return ways.isEmpty();
    }

    /** Takes for granted where a branch goes, for the sake of some calls; false if that cannot be. */
    boolean add(int branch, List<Integer> calls) {
        if (branch < 0 || ways.containsKey(branch)) {
            return false;
        }
        List<Integer> places = region.successors(branch);
        Integer way = null;
        boolean onlyLeaves = places.contains(region.out());
        for (int place : places) {
            boolean isKept = onlyLeaves ? place != region.out() : leadsToAll(place, calls);
            if (isKept && way != null) {
                return false;
            }
            way = isKept ? Integer.valueOf(place) : way;
        }
        if (way == null || !onlyLeaves && !isSameStep(places)) {
            return false;
        }
        ways.put(branch, way);
        return true;
    }

    private boolean leadsToAll(int place, List<Integer> calls) {
        return place < method.graph().size()
                && calls.stream()
                        .anyMatch(call -> region.afterUpTo(place, steps.ends()).get(call));
    }

    /** Whether all ways lead to the same step. */
    private boolean isSameStep(List<Integer> places) {
        if (steps.headers().size() == 1) {
            return true;
        }
        return places.stream()
                        .map(place -> place == region.again() ? steps.next(region.entry()) : steps.next(place))
                        .distinct()
                        .count()
                == 1;
    }

    /** Refuses a slice that would compute other arguments than the program if the program goes the other way. */
    void check(SendSlice slice) throws Refused {
        SkippedCode skipped = new SkippedCode(method, region);
        for (Map.Entry<Integer, Integer> way : ways.entrySet()) {
            for (int place : region.successors(way.getKey())) {
                if (place != region.out() && !way.getValue().equals(place)) {
                    skipped.checkBranch(slice, way.getKey(), place);
                }
            }
        }
    }
}
