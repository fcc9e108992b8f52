package dev.cleave.agent.plan;

import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Plans the streams of a method that call remote methods (R64, R69). */
final class StreamPlanner {

    private final Method method;
    private final PipelineReader reader;
    private final StreamFunctions functions;
    private final Map<Integer, Refusal> refusals = new TreeMap<>();

    StreamPlanner(Method method) {
        this.method = method;
        this.reader = new PipelineReader(method);
        this.functions = new StreamFunctions(method);
    }

    List<StreamPlan> plan() {
        List<StreamPlan> plans = new ArrayList<>();
        streams().forEach((pipeline, calls) -> {
            try {
                plans.add(new SplitStreamPlanner(method, functions, pipeline, calls).plan());
            } catch (Refused refused) {
                calls.forEach(call -> refuse(call.made(), call.function(), call.helper(), refused.refusal()));
            }
        });
        return plans;
    }

    /** The streams with functions whose calls may be sent ahead, and these functions. */
    private Map<Pipeline, List<StreamCall>> streams() {
        Map<Integer, Pipeline> known = new LinkedHashMap<>();
        Map<Pipeline, List<StreamCall>> streams = new LinkedHashMap<>();
        for (int i = 0; i < method.graph().size(); i++) {
            Function function = functions.of(i);
            if (function == null) {
                continue;
            }
            Helper helper = method.helper(function.target());
            CallSetting setting = helper == null ? method.effects().settingOf(function.target()) : helper.setting();
            if (setting == null || setting.style() != CallSetting.Style.ASYNC) {
                method.noteRefusal(function.target());
                continue;
            }
            try {
                Pipeline found = reader.read(i);
                Pipeline pipeline = known.computeIfAbsent(found.source(), source -> found);
                streams.computeIfAbsent(pipeline, key -> new ArrayList<>())
                        .add(new StreamCall(pipeline.stageOf(i), i, function, helper, setting));
            } catch (Refused refused) {
                refuse(i, function, helper, refused.refusal());
            }
        }
        streams.values()
                .forEach(calls -> calls.sort(
                        (a, b) -> Integer.compare(a.stage().op(), b.stage().op())));
        return streams;
    }

    private void refuse(int made, Function function, @Nullable Helper helper, Refusal why) {
        if (helper == null) {
            refusals.put(made, why);
        } else {
            method.note(function.target(), why);
        }
    }

    /** What becomes of the references to remote methods. */
    List<Verdict> verdicts(List<StreamPlan> plans) {
        List<Verdict> verdicts = new ArrayList<>();
        for (StreamPlan plan : plans) {
            for (StreamPlan.Callee callee : plan.callees()) {
                if (callee.helper() == null) {
                    verdicts.add(verdict(callee.made(), Verdict.Outcome.PIPELINED, plan.window(), null));
                }
            }
        }
        refusals.forEach((made, why) -> verdicts.add(verdict(made, Verdict.Outcome.SEQUENTIAL, 1, why)));
        return verdicts;
    }

    private Verdict verdict(int made, Verdict.Outcome outcome, int window, @Nullable Refusal why) {
        Function function = functions.of(made);
        String name = function == null ? "" : Method.nameOf(function.target());
        return new Verdict(method.line(made), name, outcome, window, why);
    }
}
