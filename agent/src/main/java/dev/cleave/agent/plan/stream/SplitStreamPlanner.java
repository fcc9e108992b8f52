package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Plans a stream whose functions call {@code @Async} methods (R69): the stages up to the last call are pure but for the
 * calls, and the others keep the order, end nothing early, and change nothing that the calls depend on. A call that
 * needs the result of one before it follows as that arrives (R44).
 */
final class SplitStreamPlanner {

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final List<StreamCall> calls;
    private final boolean isArriving;
    private final StreamReads places;
    private final StageEffects effects;
    private final List<StreamPlan.Given> served = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param isArriving whether the elements of the stream come from another node
     */
    SplitStreamPlanner(
            Method method, StreamFunctions functions, Pipeline pipeline, List<StreamCall> calls, boolean isArriving) {
        this.isArriving = isArriving;
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
        this.calls = calls;
        this.places = new StreamReads(method, pipeline.reads());
        places.writesBehind(pipeline.writes());
        this.effects = new StageEffects(method, functions, pipeline, places);
    }

    StreamPlan plan() throws Refused {
        StreamCall last = calls.get(calls.size() - 1);
        checkOwnWrites();
        List<StreamPlan.Stage> stages = new ArrayList<>();
        for (Pipeline.Stage stage : pipeline.stages()) {
            if (pipeline.before(stage).contains(last.stage())) {
                effects.addBehind(stage, last.stage());
                continue;
            }
            StageEffects.checkEarly(method, stage);
            StreamCall call = callOf(stage);
            if (call != null) {
                addCall(call);
                char kind = call == last ? 'E' : kind(stage);
                stages.add(
                        isCollected(stage)
                                ? new StreamPlan.Stage(effects.givenTo(), kind, call.split(), effects.operand())
                                : new StreamPlan.Stage(stage.op(), kind, call.split()));
            } else {
                addBefore(stage, stages);
            }
        }
        places.check(pipeline.end().op());
        if (isArriving && isCollected(pipeline.stages().get(0))) {
            throw refused(
                    pipeline.source(),
                    "a collector calls for elements that arrive from another node",
                    "call in map, and collect the results");
        }
        int window =
                calls.stream().mapToInt(call -> call.setting().window()).min().orElseThrow();
        return new StreamPlan(
                pipeline.source(),
                stages,
                pipeline.end().op(),
                hooks(),
                places.filled(),
                places.apart(),
                served,
                Math.max(window, calls.size()),
                StreamPlan.Mode.SPLIT,
                null);
    }

    /** Calls of several stages are in flight together: none may read what another one changes (R24). */
    private void checkOwnWrites() throws Refused {
        for (StreamCall one : calls) {
            for (StreamCall other : calls) {
                if (SendOrder.readsWhatChanges(one.setting(), other.setting())) {
                    throw method.refused(
                            Rule.R24,
                            other.made(),
                            "one of the stages may change what another one reads",
                            "call in streams of their own, or give both methods a group, @Async(group = ...), and"
                                    + " different ones");
                }
            }
        }
    }

    private List<StreamPlan.Hook> hooks() {
        List<StreamPlan.Hook> hooks = new ArrayList<>();
        hooks.add(new StreamPlan.Hook(calls.get(0).stage().op(), StreamPlan.Hook.STEP));
        for (StreamCall call : calls) {
            hooks.add(new StreamPlan.Hook(call.stage().op(), calls.indexOf(call)));
        }
        return hooks;
    }

    private static boolean isCollected(Pipeline.Stage stage) {
        return stage.name().equals("collect");
    }

    private @Nullable StreamCall callOf(Pipeline.Stage stage) {
        for (StreamCall call : calls) {
            if (call.stage().equals(stage)) {
                return call;
            }
        }
        return null;
    }

    private void addCall(StreamCall call) throws Refused {
        Pipeline.Stage stage = call.stage();
        if (isCollected(stage)) {
            if (calls.stream().filter(each -> each.stage().equals(stage)).count() > 1) {
                throw refused(stage.op(), "several functions of the collector call", "call them in map");
            }
            effects.addCollector(stage, call.made());
        } else if (!StreamNames.isCalling(stage.name()) || stage.functions().size() != 1) {
            throw refused(stage.op(), stage.name() + " does not give each element to its function in order", "use map");
        }
        Helper helper = call.helper();
        if (helper != null) {
            places.reads(helper, call.function(), call.made(), stage.op());
            places.add(stage, call.made(), FunctionEffect.besides(call.function(), helper, method.helpers()));
        } else {
            addReference(call);
        }
        if (call != calls.get(0)) {
            served.add(new StreamReceivers(method).of(call));
        }
        boolean isFollowed = call != calls.get(calls.size() - 1);
        if (isFollowed && kind(stage) == 'X') {
            new FlatFunction(method, stage).addReads(helper, places);
        }
        if (isFollowed && helper != null) {
            places.look(helper, stage.op());
        }
    }

    private void addReference(StreamCall call) throws Refused {
        if (!call.function().isBoundToService()) {
            throw refused(
                    call.made(), "the reference is not bound to a service, or has other parameters", "use a lambda");
        }
        if (!call.setting().group().isEmpty()) {
            throw refused(call.made(), "its call belongs to a group", "call it in a loop");
        }
        Type type = Type.getArgumentTypes(call.function().type().getDescriptor())[0];
        if (!method.effects().isValue(type)) {
            places.reads(List.of(new Access(new HeapRegion.Anything(), null, null)));
        }
    }

    private static char kind(Pipeline.Stage stage) {
        if (StreamNames.FLATTENING.contains(stage.name())) {
            return 'X';
        }
        return stage.name().equals("filter") ? 'F' : StreamNames.MAPPING.contains(stage.name()) ? 'M' : 'E';
    }

    private void addBefore(Pipeline.Stage stage, List<StreamPlan.Stage> stages) throws Refused {
        boolean isFilter = stage.name().equals("filter");
        if (isFilter || StreamNames.MAPPING.contains(stage.name())) {
            places.reads(functions.pure(stage).reads());
            stages.add(new StreamPlan.Stage(stage.op(), isFilter ? 'f' : 'm', null));
        } else if (stage.name().equals("asLongStream") || stage.name().equals("asDoubleStream")) {
            stages.add(new StreamPlan.Stage(stage.op(), stage.name().charAt(2), null));
        } else if (!stage.name().equals("boxed")) {
            throw refused(stage.op(), stage.name() + " stands before the call", "move it behind the call");
        }
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused(Rule.R69, index, reason, advice);
    }
}
