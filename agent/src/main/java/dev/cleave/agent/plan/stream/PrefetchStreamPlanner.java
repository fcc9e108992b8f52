package dev.cleave.agent.plan.stream;

import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans a stream whose functions call methods that change nothing (R64): what the calls depend on is computed ahead
 * from the source of the stream, and guessed where it cannot be; what the other stages do does not matter, but for
 * staleness (R61).
 */
final class PrefetchStreamPlanner {

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final List<StreamCall> calls;
    private final Map<StreamCall, Refusal> refusals = new HashMap<>();
    private final List<StreamPlan.Stage> stages = new ArrayList<>();
    private final List<StreamCall> members = new ArrayList<>();
    private @Nullable Refused obstacle;
    private boolean guesses;

    PrefetchStreamPlanner(Method method, StreamFunctions functions, Pipeline pipeline, List<StreamCall> calls) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
        this.calls = calls;
    }

    /** Why calls are not prefetched. */
    Map<StreamCall, Refusal> refusals() {
        return refusals;
    }

    /** The plan, null if no call can be prefetched. */
    @Nullable
    StreamPlan plan() {
        List<StreamCall> wanted = new ArrayList<>(calls);
        while (!wanted.isEmpty()) {
            choose(wanted);
            StreamStaleness staleness = new StreamStaleness(method, functions, pipeline, members);
            Refused stale = staleness.check();
            if (stale == null) {
                return members.isEmpty() ? null : plan(staleness);
            }
            wanted.removeIf(call -> call.ages() && refuse(call, stale));
        }
        return null;
    }

    private boolean refuse(StreamCall call, Refused why) {
        refusals.put(call, why.refusal());
        return true;
    }

    /** Finds those calls whose arguments can be computed ahead, and what computes them. */
    private void choose(List<StreamCall> wanted) {
        stages.clear();
        members.clear();
        obstacle = null;
        guesses = false;
        for (Pipeline.Stage stage : pipeline.stages()) {
            StreamCall call = callOf(stage, wanted);
            try {
                if (StreamNames.UNORDERED.contains(stage.name())) {
                    members.clear();
                    throw refused(stage, stage.name() + " gives up the order of the stream", "write a loop");
                }
                guesses |= StreamNames.EARLY.contains(stage.name());
                if (call != null) {
                    add(call);
                }
                if (obstacle == null) {
                    compute(stage, call);
                }
            } catch (Refused refused) {
                obstacle = obstacle == null ? refused : obstacle;
                if (call != null && !members.contains(call)) {
                    refusals.put(call, refused.refusal());
                }
            }
        }
        stages.removeIf(stage -> members.isEmpty()
                || stage.op() > members.get(members.size() - 1).stage().op());
    }

    private static @Nullable StreamCall callOf(Pipeline.Stage stage, List<StreamCall> wanted) {
        for (StreamCall call : wanted) {
            if (call.stage().equals(stage)) {
                return call;
            }
        }
        return null;
    }

    private void add(StreamCall call) throws Refused {
        if (obstacle != null) {
            throw obstacle;
        }
        Pipeline.Stage stage = call.stage();
        if (!StreamNames.isAsking(stage.name()) || stage.functions().size() != 1) {
            throw refused(stage, stage.name() + " does not give each element to its function", "use map");
        }
        if (call.ahead() == null && !call.function().isBoundToService()) {
            throw method.refused(
                    Rule.R69,
                    call.made(),
                    "the reference is not bound to a service, or has other parameters",
                    "use a lambda");
        }
        members.add(call);
    }

    /** Follows the elements through a stage: notes what the run-ahead computes there. */
    private void compute(Pipeline.Stage stage, @Nullable StreamCall call) throws Refused {
        String name = stage.name();
        StreamCall member = call != null && members.contains(call) ? call : null;
        boolean keeps = StreamNames.keepsElements(name);
        if (member != null) {
            stages.add(new StreamPlan.Stage(stage.op(), keeps ? 'K' : 'E', member.prefetched()));
        }
        if (name.equals("filter")) {
            boolean isComputed = member == null && functions.isPure(stage);
            guesses |= !isComputed;
            if (isComputed) {
                stages.add(new StreamPlan.Stage(stage.op(), 'f', null));
            }
        } else if (StreamNames.MAPPING.contains(name)) {
            if (member != null) {
                throw method.refused(Rule.R30, stage.op(), "it depends on the result of " + member.name());
            }
            functions.pure(stage);
            stages.add(new StreamPlan.Stage(stage.op(), 'm', null));
        } else if (name.equals("asLongStream") || name.equals("asDoubleStream")) {
            stages.add(new StreamPlan.Stage(stage.op(), name.charAt(2), null));
        } else if (!keeps) {
            throw refused(stage, name + " stands before the call", "move it behind the call");
        }
    }

    private StreamPlan plan(StreamStaleness staleness) {
        List<StreamPlan.Hook> hooks = new ArrayList<>();
        hooks.add(new StreamPlan.Hook(pipeline.stages().get(0).op(), StreamPlan.Hook.STEP));
        for (int stale : staleness.marks()) {
            hooks.add(new StreamPlan.Hook(stale, StreamPlan.Hook.STALE));
        }
        int window = 0;
        int sites = 0;
        for (StreamCall call : members) {
            hooks.add(new StreamPlan.Hook(call.stage().op(), members.indexOf(call)));
            for (ReadCall read : call.reads()) {
                boolean isNarrower = read.window() > 0 && (window == 0 || read.window() < window);
                window = isNarrower ? read.window() : window;
                sites++;
            }
        }
        return new StreamPlan(
                pipeline.source(),
                stages,
                pipeline.end().op(),
                hooks,
                staleness.filled(),
                List.of(),
                List.of(),
                Math.max(window == 0 ? CallSetting.GUESSED_WINDOW : window, sites),
                guesses ? StreamPlan.Mode.GUESSING : StreamPlan.Mode.PREFETCHING,
                null);
    }

    private Refused refused(Pipeline.Stage stage, String reason, String advice) {
        return method.refused(Rule.R69, stage.op(), reason, advice);
    }
}
