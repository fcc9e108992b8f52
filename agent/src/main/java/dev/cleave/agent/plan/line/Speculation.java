package dev.cleave.agent.plan.line;

import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends a call of {@code @Async(speculative = true)} before it is known whether the program comes to it (R11, R28): the
 * branches that decide about it and cannot be computed yet are assumed to lead to it. It assumes as few branches as
 * possible: a branch that can be computed where the call is sent is computed.
 *
 * <p>Where the program takes another way, the call is discarded on that very edge: before any handler, {@code finally}
 * or return, and before anything that must not overlap it.
 */
final class Speculation {

    /** Tries a slice under assumptions. */
    @FunctionalInterface
    interface Attempt {
        SendSlice slice(int send, Map<Integer, Integer> assumed) throws Refused;
    }

    private final Method method;
    private final Region region;
    private final int send;

    Speculation(Method method, Region region, int send) {
        this.method = method;
        this.region = region;
        this.send = send;
    }

    /** The slice that sends the call, null if there is none. */
    GroupPlan.@Nullable Part plan(Attempt attempt) {
        CallSetting setting = method.effects().settingOf(method.op(send));
        boolean isAllowed = setting != null
                && setting.isSpeculative()
                && !method.isChained()
                && setting.group().isEmpty()
                && region.ordinary().get(send);
        if (!isAllowed) {
            return null;
        }
        Map<Integer, Integer> assumed = deciders();
        SendSlice slice = attempt(attempt, assumed);
        if (slice == null) {
            return null;
        }
        for (int branch : List.copyOf(assumed.keySet())) {
            Map<Integer, Integer> fewer = new HashMap<>(assumed);
            fewer.remove(branch);
            SendSlice better = attempt(attempt, fewer);
            if (better != null) {
                slice = better;
                assumed = fewer;
            }
        }
        return new GroupPlan.Part(slice, assumed);
    }

    private @Nullable SendSlice attempt(Attempt attempt, Map<Integer, Integer> assumed) {
        try {
            SendSlice slice = attempt.slice(send, assumed);
            return isTrue(slice, assumed) ? slice : null;
        } catch (Refused refused) {
            return null; // the refusal without assumptions is the one that is reported
        }
    }

    /**
     * Whether the arguments are those of the program on every way to the call. Either each branch that is taken for
     * granted has one way only that leads there, or all that the slice does is done on every way.
     */
    private boolean isTrue(SendSlice slice, Map<Integer, Integer> assumed) {
        BitSet before = region.before(send);
        for (Map.Entry<Integer, Integer> branch : assumed.entrySet()) {
            for (int other : region.successors(branch.getKey())) {
                if (other != branch.getValue() && before.get(other)) {
                    return isDoneOnEveryWay(slice.executed(), assumed);
                }
            }
        }
        return true;
    }

    private boolean isDoneOnEveryWay(BitSet executed, Map<Integer, Integer> assumed) {
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            boolean isOpen = Arrays.stream(region.deciders(i)).anyMatch(assumed::containsKey);
            if (isOpen && isAvoidable(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the call can be reached without an op. */
    private boolean isAvoidable(int op) {
        Deque<Integer> work = new ArrayDeque<>(List.of(region.entry()));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.remove();
            if (index == send) {
                return true;
            }
            if (index != op && index < region.graph().size() && !seen.get(index)) {
                seen.set(index);
                work.addAll(region.successors(index));
            }
        }
        return false;
    }

    /** All branches that decide about the call, directly or not, each with the way that leads to it. */
    private Map<Integer, Integer> deciders() {
        Map<Integer, Integer> found = new HashMap<>();
        Deque<Integer> work = new ArrayDeque<>(List.of(send));
        while (!work.isEmpty()) {
            int place = work.remove();
            for (int branch : region.deciders(place)) {
                if (!found.containsKey(branch)) {
                    region.successors(branch).stream()
                            .filter(successor -> region.leadsTo(successor, place))
                            .findFirst()
                            .ifPresent(successor -> found.put(branch, successor));
                    work.add(branch);
                }
            }
        }
        return found;
    }

    /** The edges on which the program leaves the ways to calls that were sent on assumptions. */
    static List<GroupPlan.Abandonment> abandonments(Region region, List<GroupPlan.Part> parts) {
        Map<List<Integer>, Set<Integer>> found = new HashMap<>();
        for (GroupPlan.Part part : parts) {
            for (int send : part.slice().sends()) {
                BitSet before = region.before(send);
                for (int i = before.nextSetBit(0); i >= 0; i = before.nextSetBit(i + 1)) {
                    for (int successor : region.graph().next(i)) {
                        if (i != send && !before.get(successor)) {
                            found.computeIfAbsent(List.of(i, successor), edge -> new HashSet<>())
                                    .add(send);
                        }
                    }
                }
            }
        }
        Map<Integer, List<GroupPlan.Abandonment>> ordered = new TreeMap<>();
        found.forEach((edge, sends) -> ordered.computeIfAbsent(edge.get(0), branch -> new ArrayList<>())
                .add(new GroupPlan.Abandonment(
                        edge.get(0), edge.get(1), sends.stream().sorted().toList())));
        return ordered.values().stream().flatMap(List::stream).toList();
    }
}
