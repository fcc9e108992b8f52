package dev.cleave.agent.plan.stream;

import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places where the results that a stream has prefetched become stale (R61): in front of stages that run
 * unknown code. Helpers that make calls mark them stale themselves.
 */
final class StreamStaleness {

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final List<StreamCall> members;
    private final StreamReads known;
    private final List<Integer> marks = new ArrayList<>();

    StreamStaleness(Method method, StreamFunctions functions, Pipeline pipeline, List<StreamCall> members) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
        this.members = List.copyOf(members);
        this.known = new StreamReads(method, pipeline.reads());
    }

    /** Why results that must not be older than their calls are stale after every element; null if they are not. */
    @Nullable
    Refused check() {
        if (members.stream().noneMatch(StreamCall::ages)) {
            return null;
        }
        StageEffects effects = new StageEffects(method, functions, pipeline, known);
        for (Pipeline.Stage stage : pipeline.stages()) {
            PrefetchHelper helper = helperAt(stage);
            if (helper != null && helper.ages()) {
                return refused(stage, helper.name() + " runs code that the agent does not know");
            }
            if (isMember(stage)) {
                continue;
            }
            try {
                effects.add(stage);
            } catch (Refused unknown) {
                if (!isRare(stage)) {
                    return refused(stage, unknown.refusal().reason());
                }
                marks.add(stage.op());
            }
        }
        return null;
    }

    /** Returns the stages in front of which the prefetched results become stale. */
    List<Integer> marks() {
        return marks;
    }

    /** Returns the objects to which the other stages write, which are tested at run time. */
    List<StreamPlan.Given> filled() {
        return known.filled();
    }

    private boolean isMember(Pipeline.Stage stage) {
        return members.stream().anyMatch(call -> call.stage().equals(stage));
    }

    private @Nullable PrefetchHelper helperAt(Pipeline.Stage stage) {
        for (StreamCall call : members) {
            if (call.stage().equals(stage)) {
                return call.ahead();
            }
        }
        return null;
    }

    /** Whether a stage behind the calls does not see every element that comes to them. */
    private boolean isRare(Pipeline.Stage stage) {
        boolean isBehind = false;
        boolean isRare = false;
        for (Pipeline.Stage before : pipeline.before(stage)) {
            boolean isLast = before.equals(members.get(members.size() - 1).stage());
            isBehind |= isLast;
            isRare |= isBehind && StreamNames.isSelecting(before.name());
        }
        return isRare;
    }

    private Refused refused(Pipeline.Stage stage, String reason) {
        return method.refused(Rule.R61, stage.op(), reason + ", between two calls whose results must not be older");
    }
}
