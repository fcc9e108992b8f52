package dev.cleave.agent.plan.stream;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Plans the streams of a method that call remote methods (R64, R69): split if the rules allow it, else prefetched
 * (R65).
 */
public final class StreamPlanner {

    private final Method method;
    private final PipelineReader reader;
    private final StreamFunctions functions;
    private final Map<Integer, Refusal> refusals = new TreeMap<>();
    private final Map<Integer, Integer> mapped =
            new TreeMap<>(); // windows, by the ops that make functions which fill maps
    private final Set<Integer> judged = new HashSet<>(); // the ops that make functions with a reason to stay

    private final Set<Integer> left = new HashSet<>(); // what runs streams whose calls the strands of a loop send

    private StreamPlanner(Method method) {
        this.method = method;
        this.reader = new PipelineReader(method);
        this.functions = new StreamFunctions(method);
    }

    /** Plans the streams of a method, and gives verdicts on the references to remote methods in them. */
    public static void plan(MethodDraft draft) {
        StreamPlanner planner = new StreamPlanner(draft.method());
        draft.placed(StrandPlan.class).forEach(planner::leaveMappings);
        draft.placed(StrandPlan.class)
                .forEach(nest -> planner.left.addAll(nest.hands().keySet()));
        planner.streams().forEach((pipeline, calls) -> {
            StreamPlan plan = planner.plan(pipeline, calls);
            if (plan != null) {
                draft.add(plan);
            }
        });
        planner.planStrands(draft);
        planner.verdicts(draft.placed(StreamPlan.class)).forEach(draft::add);
    }

    /** Leaves the functions that fill maps to the strands that send their calls. */
    private void leaveMappings(StrandPlan nest) {
        nest.mappings().keySet().forEach(op -> {
            for (Register use : method.op(op).uses()) {
                int made = method.whole().origin(op, use);
                if (functions.of(made) != null) {
                    mapped.put(made, nest.window());
                }
            }
        });
    }

    /** Plans strands for the streams that are not planned yet. */
    private void planStrands(MethodDraft draft) {
        if (method.helpers().isExcluded(method.graph().body().original())) {
            return;
        }
        Set<Integer> planned = new HashSet<>();
        draft.placed(StreamPlan.class).forEach(plan -> planned.add(plan.source()));
        for (int i = 0; i < method.graph().size(); i++) {
            Function function = functions.of(i);
            if (function == null
                    || !method.helpers().hidesRemote(function.target())
                    || mapped.containsKey(i)
                    || method.helpers().isGiven(function.target())) {
                continue;
            }
            try {
                Pipeline pipeline = reader.read(i);
                if (left.contains(pipeline.end().op())) {
                    continue;
                }
                if (!pipeline.stageOf(i).functions().contains(i)) {
                    throw method.refused(
                            Rule.R69,
                            i,
                            "the function is given to a collector",
                            "call it in map, and collect the results");
                }
                if (reader.isArriving(pipeline.source())) {
                    throw arriving(i);
                }
                if (planned.add(pipeline.source())) {
                    draft.add(new StrandStreamPlanner(method, functions, pipeline).plan());
                }
            } catch (Refused refused) {
                if (!judged.contains(i) && method.helpers().refusal(function.target()) == null) {
                    method.note(function.target(), reason(i, function, refused)); // else an earlier reason says more
                }
            }
        }
    }

    private @Nullable StreamPlan plan(Pipeline pipeline, List<StreamCall> calls) {
        List<StreamCall> split = calls.stream().filter(StreamCall::maySplit).toList();
        if (!split.isEmpty()) {
            try {
                boolean isArriving = reader.isArriving(pipeline.source());
                return new SplitStreamPlanner(method, functions, pipeline, split, isArriving).plan();
            } catch (Refused refused) {
                split.forEach(call -> refuse(call, refused.refusal()));
            }
        }
        if (reader.isArriving(pipeline.source())) {
            calls.stream()
                    .filter(call -> !call.maySplit())
                    .forEach(call -> refuse(call, arriving(call.made()).refusal()));
            return null;
        }
        List<StreamCall> reading =
                calls.stream().filter(StreamCall::mayPrefetch).toList();
        PrefetchStreamPlanner ahead = new PrefetchStreamPlanner(method, functions, pipeline, reading);
        StreamPlan plan = ahead.plan();
        ahead.refusals().forEach(this::refuse);
        if (plan != null) {
            plan.callees().forEach(callee -> refusals.remove(callee.made()));
        }
        return plan;
    }

    /** The streams with functions whose calls may be sent ahead, and these functions. */
    private Map<Pipeline, List<StreamCall>> streams() {
        Map<Integer, Pipeline> known = new LinkedHashMap<>();
        Map<Pipeline, List<StreamCall>> streams = new LinkedHashMap<>();
        for (int i = 0; i < method.graph().size(); i++) {
            Function function = functions.of(i);
            if (function == null || mapped.containsKey(i) || method.helpers().isGiven(function.target())) {
                continue;
            }
            StreamCall call = StreamCall.of(method, i, function);
            if (!call.maySplit() && !call.mayPrefetch()) {
                method.noteRefusal(function.target());
                continue;
            }
            MethodInsnNode user = method.helpers().userOf(function);
            if (user != null) {
                if (left.stream().noneMatch(op -> method.op(op) instanceof InsnOp insn && insn.insn() == user)) {
                    refuse(
                            call,
                            method.refused(Rule.R71, i, "no strands run ahead of " + Method.nameOf(user))
                                    .refusal());
                }
                continue;
            }
            try {
                Pipeline found = reader.read(i);
                if (left.contains(found.end().op())) {
                    continue;
                }
                Pipeline pipeline = known.computeIfAbsent(found.source(), source -> found);
                streams.computeIfAbsent(pipeline, key -> new ArrayList<>()).add(call.at(pipeline.stageOf(i)));
            } catch (Refused refused) {
                refuse(call, reason(i, function, refused));
            }
        }
        streams.values()
                .forEach(calls ->
                        calls.sort(Comparator.comparingInt(call -> call.stage().op())));
        return streams;
    }

    private Refused arriving(int made) {
        return method.refused(
                Rule.R69,
                made,
                "the elements of the stream arrive from another node, and the function makes more than one call, or only reads",
                "mark its method @Async, and make one call in each stage of the stream");
    }

    /** Why a function that is given to no stream stays: a reason of the method to which it is given says more. */
    private Refusal reason(int made, Function function, Refused refused) {
        Refusal given = method.helpers().functionRefusal(function.target());
        return given == null ? refused.refusal() : given.at(method.line(made));
    }

    private void refuse(StreamCall call, Refusal why) {
        judged.add(call.made());
        if (call.isReference()) {
            refusals.put(call.made(), why);
        } else {
            method.note(call.function().target(), why);
        }
    }

    /** Returns the verdicts on the references to remote methods. */
    private List<Verdict> verdicts(List<StreamPlan> plans) {
        List<Verdict> verdicts = new ArrayList<>();
        for (StreamPlan plan : plans) {
            for (StreamPlan.Callee callee : plan.callees()) {
                if (callee.key() == null) {
                    verdicts.add(verdict(callee.made(), plan.outcome(callee.made()), plan.window(), null));
                }
            }
        }
        mapped.forEach((made, window) -> {
            Function function = functions.of(made);
            if (function != null
                    && function.isBoundToService()
                    && !method.helpers().hidesRemote(function.target())) {
                verdicts.add(verdict(made, Verdict.Outcome.PIPELINED, window, null));
            }
        });
        refusals.forEach((made, why) -> verdicts.add(verdict(made, Verdict.Outcome.SEQUENTIAL, 1, why)));
        return verdicts;
    }

    private Verdict verdict(int made, Verdict.Outcome outcome, int window, @Nullable Refusal why) {
        Function function = functions.of(made);
        String name = function == null ? "" : Method.nameOf(function.target());
        return new Verdict(method.line(made), name, outcome, window, why);
    }
}
