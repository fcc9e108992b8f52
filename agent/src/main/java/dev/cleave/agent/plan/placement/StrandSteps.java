package dev.cleave.agent.plan.placement;

import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Overlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** Finds which calls of a nest wait for which others, from what its strands look at. */
public final class StrandSteps {

    private final StrandPlan plan;
    private final Map<Integer, Set<Integer>> needs = new HashMap<>(); // by call
    private final Set<Integer> following = new HashSet<>(); // calls for which a later pass or level waits

    private StrandSteps(StrandPlan plan) {
        this.plan = plan;
        for (int i = 0; i < plan.strands().size(); i++) {
            Set<Integer> looked = looks(plan.strands().get(i).slice());
            looked.retainAll(plan.sends().keySet()); // values of other activations aside
            StrandPlan.Queue queue = plan.queue();
            if (queue != null && queue.reader() == i) {
                looked.addAll(looks(plan.strands().get(queue.writer()).slice()));
            }
            for (int send : plan.strands().get(i).slice().sends()) {
                if (plan.sends().containsKey(send)) {
                    needs.put(send, looked);
                } else if (plan.recursion() != null) {
                    following.addAll(looked); // the method calls itself there
                }
            }
        }
        if (plan.guide() != null) {
            following.addAll(looks(plan.guide().strand().slice()));
        }
    }

    /** Returns the calls that strands of a nest send, in the order of the code. */
    public static List<Overlap.Step> of(StrandPlan plan) {
        StrandSteps all = new StrandSteps(plan);
        List<Integer> calls = new ArrayList<>(all.needs.keySet());
        calls.sort(Comparator.comparingInt(call -> plan.send(call).row()));
        Set<Overlap.Step> steps = new LinkedHashSet<>();
        calls.forEach(call -> steps.add(all.step(call)));
        return List.copyOf(steps);
    }

    /** Returns what is known of all calls of a nest. */
    public static StrandSteps all(StrandPlan plan) {
        return new StrandSteps(plan);
    }

    /** Returns how many calls have to be made one after the other. */
    public int length() {
        return length(call -> true);
    }

    /** Returns how many of some calls have to be made one after the other, as if they were alone. */
    public int length(IntPredicate of) {
        return needs.keySet().stream()
                .filter(of::test)
                .mapToInt(call -> depth(call, of, new HashSet<>()))
                .max()
                .orElse(0);
    }

    private static Set<Integer> looks(SendSlice slice) {
        Set<Integer> looks = new LinkedHashSet<>();
        slice.looks().stream().forEach(looks::add);
        return looks;
    }

    private Overlap.Step step(int index) {
        StrandPlan.Call sent = plan.send(index);
        Set<String> names = new LinkedHashSet<>();
        needs(index).forEach(need -> names.add(plan.send(need).name()));
        return new Overlap.Step(
                sent.owner().replace('/', '.') + "." + sent.method(),
                sent.line(),
                sent.name(),
                depth(index, call -> true, new HashSet<>()),
                following.contains(index) || leadsTo(index, index, new HashSet<>()),
                List.copyOf(names));
    }

    private Set<Integer> needs(int call) {
        return needs.getOrDefault(call, Set.of());
    }

    private int depth(int call, IntPredicate of, Set<Integer> path) {
        path.add(call);
        int deepest = 0;
        for (int need : needs(call)) {
            if (of.test(need) && !path.contains(need)) {
                deepest = Math.max(deepest, depth(need, of, path));
            }
        }
        path.remove(call);
        return deepest + 1;
    }

    private boolean leadsTo(int from, int to, Set<Integer> seen) {
        for (int need : needs(from)) {
            if (need == to || seen.add(need) && leadsTo(need, to, seen)) {
                return true;
            }
        }
        return false;
    }
}
