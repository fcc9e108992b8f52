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

/** Finds which calls of a nest wait for which others, from what its strands look at. */
public final class StrandSteps {

    private final StrandPlan plan;
    private final Map<Integer, Set<Integer>> needs = new HashMap<>(); // by call
    private final Set<Integer> following = new HashSet<>(); // calls for which a later pass or level waits

    private StrandSteps(StrandPlan plan) {
        this.plan = plan;
        for (int i = 0; i < plan.strands().size(); i++) {
            Set<Integer> looked = looks(plan.strands().get(i).slice());
            StrandPlan.Queue queue = plan.queue();
            if (queue != null && queue.reader() == i) {
                looked.addAll(looks(plan.strands().get(queue.writer()).slice()));
            }
            for (int send : plan.strands().get(i).slice().sends()) {
                if (plan.sends().containsKey(send)) {
                    needs.put(send, looked);
                } else {
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

    private static Set<Integer> looks(SendSlice slice) {
        Set<Integer> looks = new LinkedHashSet<>();
        slice.looks().stream().forEach(looks::add);
        return looks;
    }

    private Overlap.Step step(int index) {
        StrandPlan.Call call = plan.send(index);
        Set<String> names = new LinkedHashSet<>();
        needs(index).forEach(need -> names.add(plan.send(need).name()));
        return new Overlap.Step(
                call.owner().replace('/', '.') + "." + call.method(),
                call.line(),
                call.name(),
                depth(index, new HashSet<>()),
                following.contains(index) || leadsTo(index, index, new HashSet<>()),
                List.copyOf(names));
    }

    private Set<Integer> needs(int call) {
        return needs.getOrDefault(call, Set.of());
    }

    private int depth(int call, Set<Integer> path) {
        path.add(call);
        int deepest = 0;
        for (int need : needs(call)) {
            if (!path.contains(need)) {
                deepest = Math.max(deepest, depth(need, path));
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
