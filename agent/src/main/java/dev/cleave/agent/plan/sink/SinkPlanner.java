package dev.cleave.agent.plan.sink;

import dev.cleave.agent.dataflow.Liveness;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.placement.GroupPlan;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.SinkPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans where calls are awaited (Group C): each as far down as {@link AwaitSinking} allows, if that pays.
 *
 * <p>It pays if another call can be sent on the way that could not be sent together with this one, or if the code on
 * the way may take long ({@link Weight}). For a few additions the await stays at the call.
 */
public final class SinkPlanner {

    /** The most calls of a method whose awaits move; each has a part in every landing pad. */
    private static final int MOST = 24;

    /** The most places where one call is awaited. */
    private static final int MOST_AWAITS = 12;

    private final MethodDraft draft;
    private final Method method;
    private final Liveness liveness;
    private final Map<Integer, Set<Register>> sliceReads = new HashMap<>();
    private final Map<Integer, List<Integer>> sends = new HashMap<>();
    private final Map<Integer, Integer> leaderOf = new HashMap<>();

    private SinkPlanner(MethodDraft draft) {
        this.draft = draft;
        this.method = draft.restoring();
        this.liveness = Liveness.of(draft.blocks());
        for (GroupPlan group : draft.placed(GroupPlan.class)) {
            sliceReads.put(group.leader(), reads(group));
            leaderOf.put(group.leader(), group.leader());
            sends.put(group.leader(), group.sends());
            group.sends().forEach(send -> leaderOf.put(send, group.leader()));
        }
    }

    /** Plans where the calls outside of planned loops are awaited. */
    public static void plan(MethodDraft draft) {
        new SinkPlanner(draft).plan().forEach(draft::add);
    }

    /** All awaits that move, in the order in which the program comes to the calls. */
    private List<SinkPlan> plan() {
        List<SinkPlan> plans = new ArrayList<>();
        BitSet planned = draft.loops();
        for (BasicBlock block : draft.blocks().reversePostOrder()) {
            for (Op op : block.ops()) {
                int index = method.graph().body().indexOf(op);
                boolean isOpen = method.isCandidate(index) && method.helper(index) == null && !planned.get(index);
                if (isOpen && plans.size() < MOST) {
                    SinkPlan plan = new AwaitSinking(
                                    method, draft.blocks(), draft.nest(), liveness, sliceReads, sends, index)
                            .plan();
                    if (!plan.awaits().isEmpty()
                            && plan.awaits().size() <= MOST_AWAITS
                            && pays(plan)
                            && !(method.restores(index) && meets(plan, planned))) {
                        plans.add(plan);
                    }
                }
            }
        }
        return plans;
    }

    /** Whether an await stands among ops of which a copy runs ahead: the copy may read what the await writes (R75). */
    private static boolean meets(SinkPlan plan, BitSet copied) {
        return plan.region().intersects(copied) || plan.awaits().stream().anyMatch(copied::get);
    }

    private boolean pays(SinkPlan plan) {
        Weight weight = new Weight(method, draft.nest(), draft.blocks());
        boolean meetsCall =
                plan.region().stream().anyMatch(op -> method.isCandidate(op) && !isSentWith(plan.call(), op));
        return meetsCall || weight.isLong(plan.call(), plan.region());
    }

    /** Whether two calls are in flight together anyway. */
    private boolean isSentWith(int call, int other) {
        return leaderOf.containsKey(call) && leaderOf.get(call).equals(leaderOf.get(other));
    }

    private Set<Register> reads(GroupPlan group) {
        Set<Register> reads = new HashSet<>();
        for (GroupPlan.Part part : group.parts()) {
            SendSlice slice = part.slice();
            BitSet ops = (BitSet) slice.executed().clone();
            slice.sends().forEach(ops::set);
            ops.stream().forEach(op -> reads.addAll(method.op(op).uses()));
            for (EntryTest test : slice.tests()) {
                for (Value value : test.values()) {
                    reads.add(value.result());
                    value.ops().forEach(op -> reads.addAll(op.uses()));
                }
            }
        }
        return reads;
    }
}
