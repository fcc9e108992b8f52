package dev.cleave.agent.plan.helper;

import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.prefetch.BranchPrediction;
import dev.cleave.agent.plan.prefetch.RunAheadBounds;
import dev.cleave.agent.plan.prefetch.Staleness;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Decides which calls of a method can be made ahead for its callers and claimed in it (R63): those that change nothing
 * and stand in no loop. What happens around them does not matter.
 */
final class PrefetchHelperPlanner {

    private final MethodNode target;
    private final Method method;
    private final HelperShape shape;
    private final Map<Integer, PrefetchHelper> called = new HashMap<>();
    private final BitSet all = new BitSet();
    private final Staleness staleness;

    PrefetchHelperPlanner(ClassNode owner, MethodNode target, Callees helpers) throws Unsupported {
        this.target = target;
        this.method = helpers.method(helpers.body(target));
        this.shape = new HelperShape(owner, target, helpers, method, Rule.R63);
        this.all.set(0, method.graph().size());
        this.staleness = new Staleness(method, all);
    }

    PrefetchHelper plan() throws Refused {
        List<Integer> readers = new ArrayList<>();
        for (int i = 0; i < method.graph().size(); i++) {
            if (!method.readCalls(i).isEmpty()) {
                readers.add(i);
            }
        }
        if (readers.isEmpty()) {
            throw shape.refused(0, HelperShape.NONE_MAY_MOVE, "mark the remote method @Async, @ReadOnly or @Pure");
        }
        shape.check();
        List<Integer> members = members(readers);
        while (true) {
            try {
                return attempt(members);
            } catch (Refused refused) {
                members.remove(members.size() - 1);
                if (members.isEmpty()) {
                    throw refused;
                }
            }
        }
    }

    /** Returns those of the {@code readers} that can be prefetched, each judged by itself. */
    private List<Integer> members(List<Integer> readers) throws Refused {
        List<Integer> members = new ArrayList<>();
        Refused first = null;
        for (int reader : readers) {
            try {
                checkPlace(reader);
                PrefetchHelper helper = method.prefetchHelper(reader);
                if (helper != null) {
                    shape.checkDepth(helper.depth() + 1, reader);
                    called.put(reader, helper);
                }
                staleness.check(reader, Staleness.WHOLE);
                attempt(List.of(reader));
                members.add(reader);
            } catch (Refused refused) {
                first = first == null ? refused : first;
            }
        }
        if (members.isEmpty() && first != null) {
            throw first;
        }
        return members;
    }

    private void checkPlace(int call) throws Refused {
        Op op = method.op(call);
        if (shape.nest().innermost(shape.blocks().blockOf(op)) != null) {
            throw shape.refused(call, HelperShape.OWN_LOOP, "call in one loop");
        }
    }

    private PrefetchHelper attempt(List<Integer> members) throws Refused {
        BranchPrediction guesses = new BranchPrediction(method, 0, all, members, false);
        Region region = guesses.region();
        if (!region.allEnd()) {
            throw method.refused(Rule.R29, 0, target.name + " has a part that never ends", "restructure it");
        }
        Slicer slicer = new Slicer(method, region, Set.of());
        for (int member : members) {
            slicer.addSend(member);
        }
        SendSlice slice = slicer.slice(members, List.of());
        if (!slice.iterators().isEmpty()) {
            throw method.refused(
                    Rule.R34, members.get(0), "its argument comes from an iterator", "give it the element");
        }
        new RunAheadBounds(method).check(slice);
        Map<Integer, PrefetchHelper> inner = new TreeMap<>(called);
        inner.keySet().retainAll(members);
        List<ReadCall> calls = new ArrayList<>();
        members.forEach(member -> calls.addAll(method.readCalls(member)));
        int depth = 1
                + inner.values().stream().mapToInt(PrefetchHelper::depth).max().orElse(0);
        List<Integer> stale = staleness.marks(inner.keySet());
        return new PrefetchHelper(
                shape.key(),
                shape.name(nameOf(members.get(0))),
                method.graph().body(),
                slice,
                calls,
                stale,
                staleness.remote(),
                staleness.guards(),
                staleness.alwaysAges(),
                depth,
                inner,
                shape.exact(),
                doors(inner));
    }

    private List<CrossClassGuard> doors(Map<Integer, PrefetchHelper> inner) {
        Set<CrossClassGuard> doors = new LinkedHashSet<>();
        String owner = method.graph().body().owner();
        inner.forEach((call, helper) -> doors.addAll(helper.doorsFrom(owner, method.callOf(call))));
        return List.copyOf(doors);
    }

    private String nameOf(int call) {
        PrefetchHelper helper = method.prefetchHelper(call);
        return helper == null ? method.nameOf(call) : helper.name();
    }
}
