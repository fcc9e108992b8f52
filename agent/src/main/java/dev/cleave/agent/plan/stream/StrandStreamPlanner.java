package dev.cleave.agent.plan.stream;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamNest;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.strand.StrandLoops;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Plans a stream whose functions call several times, in loops or with results of each other: strands run ahead of it as
 * of the loop that does the same (R69, R71). What is behind the last function that calls is as in other streams.
 */
final class StrandStreamPlanner {

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final StreamReads places;
    private final StageEffects effects;
    private final List<Integer> calling = new ArrayList<>(); // the ops that make the functions

    StrandStreamPlanner(Method method, StreamFunctions functions, Pipeline pipeline) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
        this.places = new StreamReads(method, pipeline.reads());
        this.effects = new StageEffects(method, functions, pipeline, places);
    }

    StreamPlan plan() throws Refused {
        Pipeline.Stage last = pipeline.stages().get(0);
        for (Pipeline.Stage stage : pipeline.stages()) {
            for (int made : stage.functions()) {
                Function function = functions.of(made);
                if (function != null && method.helpers().hidesRemote(function.target())) {
                    calling.add(made);
                    last = stage;
                }
            }
        }
        for (Pipeline.Stage stage : pipeline.stages()) {
            if (pipeline.before(stage).contains(last)) {
                effects.addBehind(stage, last);
            } else {
                StageEffects.checkEarly(method, stage);
            }
        }
        StreamLoop loop = new StreamLoop(method, functions, pipeline);
        MethodNode node = loop.write(last);
        Map<Integer, Refusal> refusals = new HashMap<>();
        StrandLoops.Planned planned = StrandLoops.plan(node, method.helpers(), refusals);
        if (planned == null) {
            throw new Refused(refusals.values().stream()
                    .findFirst()
                    .map(refusal -> refusal.at(method.line(calling.get(0))))
                    .orElseGet(() -> new Refusal(
                            Rule.R71, method.line(pipeline.source()), "its functions cannot be read", "write a loop")));
        }
        places.reads(planned.reads());
        places.check(pipeline.end().op());
        return plan(planned.strands(), loop);
    }

    private StreamPlan plan(StrandPlan strands, StreamLoop loop) throws Refused {
        Map<Integer, StrandPlan.Hand> hands = new HashMap<>();
        for (int made : calling) {
            MethodInsnNode call = loop.callOf(made);
            strands.hands().forEach((index, hand) -> {
                if (((InsnOp) strands.own().graph().op(index)).insn() == call) {
                    hands.put(made, hand);
                }
            });
        }
        if (hands.size() != strands.hands().size() || !strands.claims().isEmpty()) {
            throw method.refused(Rule.R71, pipeline.source(), "one of its functions is called otherwise");
        }
        List<StreamPlan.Hook> hooks = new ArrayList<>();
        hooks.add(new StreamPlan.Hook(pipeline.stages().get(0).op(), StreamPlan.Hook.STEP));
        for (int made : calling) {
            if (hands.containsKey(made)) {
                hooks.add(new StreamPlan.Hook(pipeline.stageOf(made).op(), calling.indexOf(made)));
            }
        }
        return new StreamPlan(
                pipeline.source(),
                List.of(),
                pipeline.end().op(),
                hooks,
                places.filled(),
                List.of(),
                List.of(),
                strands.window(),
                StreamPlan.Mode.SPLIT,
                new StreamNest(strands, loop.given(), calling, hands));
    }
}
