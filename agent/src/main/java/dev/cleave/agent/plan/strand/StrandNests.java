package dev.cleave.agent.plan.strand;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/** The nests of one method whose calls are sent by strands (R71), because queues would send fewer of them. */
public final class StrandNests {

    private final Method method;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private @Nullable FlatCode whole;
    private boolean isFlattened;
    private @Nullable Set<AbstractInsnNode> streams;

    /** Plans nests of a method. */
    public StrandNests(Method method) {
        this.method = method;
    }

    /** Why calls are not sent by strands. */
    public Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /**
     * Plans strands for a loop; null if there are none, if they send no more than the queues, or if the method could not be
     * rewritten with strands.
     *
     * @param queues what is planned for it otherwise
     */
    public @Nullable StrandPlan take(Loop loop, List<LoopPlan> queues) {
        if (method.helpers().isExcluded(method.graph().body().original())) {
            return null;
        }
        BitSet ops = method.graph().opsOf(loop);
        Set<Integer> queued = new HashSet<>();
        queues.forEach(plan -> queued.addAll(plan.sends()));
        boolean isOne = queues.size() == 1
                && queues.get(0).region().entry()
                        == method.graph().body().indexOf(loop.header().first());
        boolean isServed = isOne
                && ops.stream().filter(this::calls).allMatch(queued::contains)
                && (queued.size() == 1 || queued.stream().allMatch(this::isUnbounded));
        if (method.isChained() || isServed || ops.stream().noneMatch(this::calls)) {
            return null;
        }
        boolean hasHelpers = ops.stream().anyMatch(call -> method.hidesRemote(call) && !isWalk(call))
                || ops.stream().anyMatch(this::isWritten)
                || ops.stream().anyMatch(this::isConstructed);
        FlatCode flat = hasHelpers || fillsByHand() ? flat(ops) : null;
        StrandPlanner planner = flat == null ? null : planner(flat, loop, ops);
        if (planner == null && !hasHelpers) {
            planner = new StrandPlanner(method, StrandPart.of(method, loop));
        }
        StrandPlan plan = planner == null ? null : planner.planPart();
        if (flat != null && flat.code().fillsByHand() && (plan == null || !covers(plan, queued))) {
            return withoutFillings(flat, loop, ops, queued);
        }
        if (planner != null && planner.refusals().values().stream().anyMatch(StrandNests::mayConcernResult)) {
            FlatCode copying = withCopies(flat);
            StrandPlanner other = copying == null ? null : planner(copying, loop, ops);
            StrandPlan better = other == null ? null : other.planPart();
            if (better != null
                    && (plan == null || better.sends().size() > plan.sends().size())) {
                planner = other;
                plan = better;
            }
        }
        if (planner != null) {
            planner.refusals().forEach((call, refusal) -> {
                if (!method.hidesRemote(call) || method.helperRefusal(call) == null) {
                    refusals.put(call, refusal); // otherwise the refusal of the helper says more
                }
            });
        }
        boolean isMore = planner != null && (!planner.isPlain() || sendsMore(plan, queued));
        return plan == null || !covers(plan, queued) || !isMore ? null : plan;
    }

    /** Whether strands send calls that the queues would not send. */
    private boolean sendsMore(@Nullable StrandPlan plan, Set<Integer> queued) {
        return plan != null
                && (plan.guide() == null || queued.isEmpty() && overlaps(plan, plan.guide()))
                && (plan.calls().stream().anyMatch(call -> !queued.contains(call))
                        || plan.hands().keySet().stream().anyMatch(call -> !queued.contains(call)));
    }

    /**
     * Whether calls of one pass overlap the call that decides about the next one. Calls that only read are made on a guess instead, and a call
     * that decides itself gains nothing.
     */
    private boolean overlaps(StrandPlan plan, StrandPlan.Guide guide) {
        BitSet decides = guide.strand().slice().looks();
        return plan.sends().keySet().stream().anyMatch(call -> !decides.get(call))
                && plan.sends().keySet().stream().map(plan.region().graph()::op).noneMatch(this::mayBeGuessed);
    }

    private boolean mayBeGuessed(Op call) {
        CallSetting setting = method.effects().settingOf(call);
        return setting != null && (setting.isSpeculative() || setting.reading().kind() != Reading.Kind.NONE);
    }

    /** Whether an op calls a method that calls itself and has strands. */
    private boolean isWalk(int call) {
        return Walks.of(method.helpers()).of(method.callOf(call)) != null;
    }

    private boolean fillsByHand() {
        return !HandFilledMaps.of(method.graph().body().original(), method.helpers())
                .isEmpty();
    }

    private boolean calls(int index) {
        return method.isCandidate(index) || method.hidesRemote(index) || isWritten(index);
    }

    /** Whether a call may stay because the nest changes what calls return. */
    private static boolean mayConcernResult(Refusal refusal) {
        return refusal.rule() == Rule.R33 || refusal.rule() == Rule.R43;
    }

    /** The code with copies of what calls return; null if they return nothing that can be copied. */
    private @Nullable FlatCode withCopies(@Nullable FlatCode flat) {
        MethodBody body = method.graph().body();
        FlatMethod code = flat == null
                ? FlatMethod.withCopies(body.owner(), body.original(), method.helpers())
                : flat.code().withCopies();
        return FlatCode.of(code, method.helpers());
    }

    /** Plans the strands of a loop as if it filled no map by hand; null if there are none that send more than the queues. */
    private @Nullable StrandPlan withoutFillings(FlatCode filling, Loop loop, BitSet ops, Set<Integer> queued) {
        FlatCode flat = FlatCode.of(filling.code().withoutFillings(), method.helpers());
        StrandPlanner planner = flat == null ? null : planner(flat, loop, ops);
        StrandPlan plan = planner == null ? null : planner.planPart();
        return plan == null || !covers(plan, queued) ? null : plan;
    }

    private boolean isWritten(int index) {
        return method.op(index) instanceof InsnOp op
                && op.method() != null
                && (FlatMethod.isWritten(method.helpers(), op.method())
                        || streams().contains(op.method()));
    }

    /** Whether an op runs the constructor of an object that is given results of remote calls. */
    private boolean isConstructed(int index) {
        return method.op(index) instanceof InsnOp op
                && op.method() != null
                && Constructions.of(method.graph().body().original(), method.helpers())
                        .made()
                        .containsKey(op.method());
    }

    /** Returns the calls that run streams in whose places loops can stand. */
    private Set<AbstractInsnNode> streams() {
        if (streams == null) {
            MethodBody body = method.graph().body();
            streams = StreamCode.of(body.owner(), body.original(), method.helpers())
                    .keySet();
        }
        return streams;
    }

    /** Whether no window bounds a call: those of a queue have the least window of all of them together, those of strands each their own. */
    private boolean isUnbounded(int call) {
        CallSetting setting = method.setting(call);
        return setting == null || setting.window() == CallSetting.AUTOMATIC_WINDOW;
    }

    /** Whether strands send all calls that the queues would send. */
    private static boolean covers(StrandPlan plan, Set<Integer> queued) {
        Set<Integer> rows = new HashSet<>();
        plan.sends().values().forEach(call -> rows.add(call.row()));
        for (int call : queued) {
            Integer row = plan.claims().get(call);
            StrandPlan.Hand hand = plan.hands().get(call);
            boolean isSent = row != null && rows.contains(row);
            if (hand != null) {
                isSent = true;
                for (int i = 0; i < hand.helper().rows(); i++) {
                    isSent &= rows.contains(hand.row() + i);
                }
            }
            if (!isSent) {
                return false;
            }
        }
        return true;
    }

    /** The method with its helpers, or with those that some of its ops call; null if none can be written there. */
    private @Nullable FlatCode flat(BitSet ops) {
        if (!isFlattened) {
            isFlattened = true;
            whole = FlatCode.of(method, true);
        }
        return whole == null ? FlatCode.ofPart(method, ops, true) : whole;
    }

    /** Prepares to plan the same loop in the code that holds the helpers; null if the loop is not found there. */
    private @Nullable StrandPlanner planner(FlatCode flat, Loop loop, BitSet ops) {
        Set<AbstractInsnNode> here = FlatCode.instructions(method, ops);
        for (Loop each : flat.nest().loops()) {
            if (each.depth() == loop.depth() && holds(flat.code(), each, here)) {
                return new StrandPlanner(
                        flat.method(),
                        StrandPart.of(flat.method(), each),
                        method,
                        StrandPart.of(method, loop),
                        flat.code());
            }
        }
        return null;
    }

    private static boolean holds(FlatMethod flat, Loop loop, Set<AbstractInsnNode> insns) {
        for (BasicBlock block : loop.blocks()) {
            for (Op op : block.ops()) {
                FlatMethod.Origin origin = op instanceof InsnOp insn ? flat.origin(insn.insn()) : null;
                if (origin != null && origin.path().isEmpty() && insns.contains(origin.insn())) {
                    return true;
                }
            }
        }
        return false;
    }
}
