package dev.cleave.agent.plan.stream;

import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.List;

/** Adds up the effects of the stages of a stream that make no remote call. */
final class StageEffects {

    private final Method method;
    private final Pipeline pipeline;
    private final StreamFunctions functions;
    private final CollectorEffects collectors;
    private final StreamReads places;

    StageEffects(Method method, StreamFunctions functions, Pipeline pipeline, StreamReads places) {
        this.method = method;
        this.pipeline = pipeline;
        this.functions = functions;
        this.collectors = new CollectorEffects(method, functions, pipeline, places);
        this.places = places;
    }

    /**
     * Adds the effects of a stage behind the last one whose function calls; refuses a stage that may run between calls in another order, or
     * end the stream before they are made. What a comparator sorts has passed all calls.
     */
    void addBehind(Pipeline.Stage stage, Pipeline.Stage last) throws Refused {
        boolean isBehindSort = pipeline.isBehindSort(stage, last);
        if (!isBehindSort) {
            checkEarly(method, stage);
        }
        if (StreamNames.UNORDERED.contains(stage.name()) || !isBehindSort && !StreamNames.takesAll(stage.name())) {
            throw method.refused(
                    Rule.R69, stage.op(), stage.name() + " may not keep the order of the elements", "do it afterwards");
        }
        boolean isSort = stage.name().equals("sorted") && !stage.functions().isEmpty();
        if (!isBehindSort && !isSort) {
            add(stage);
        }
    }

    /** Refuses a stage that may end the stream before its source does. */
    static void checkEarly(Method method, Pipeline.Stage stage) throws Refused {
        if (StreamNames.EARLY.contains(stage.name())) {
            throw method.refused(
                    Rule.R37,
                    stage.op(),
                    stage.name() + " may end the stream early",
                    "mark the method @ReadOnly or @Pure");
        }
    }

    /** Adds the effects of a stage; refuses a stage whose effects are not known. */
    void add(Pipeline.Stage stage) throws Refused {
        List<Integer> arguments = stage.functions();
        String name = stage.name();
        if (name.equals("collect") && arguments.size() == 1) {
            collectors.add(stage, arguments.get(0));
        } else if (name.equals("collect")) {
            collectors.addContainer(stage);
        } else if (name.equals("distinct") || name.equals("sorted") && arguments.isEmpty()) {
            collectors.checkElements(stage);
        } else if (name.equals("sorted") || StreamNames.COMPARING.contains(name) && !arguments.isEmpty()) {
            collectors.addComparator(stage, arguments.get(0));
        } else if (!StreamNames.COUNTING.contains(name)) {
            addFunctions(stage);
        }
    }

    /** Adds the effects of a stage whose collector calls a function that makes remote calls, but for that function. */
    void addCollector(Pipeline.Stage stage, int calling) throws Refused {
        collectors.add(stage, stage.functions().get(0), calling);
    }

    /** The op that makes the collector which is given that function. */
    int givenTo() {
        return collectors.givenTo();
    }

    /** The number of that function among the arguments of that op. */
    int operand() {
        return collectors.operand();
    }

    private void addFunctions(Pipeline.Stage stage) throws Refused {
        boolean isIdentity = stage.name().equals("reduce") && stage.functions().size() > 1;
        for (int i = 0; i < stage.functions().size(); i++) {
            int made = stage.functions().get(i);
            if (i > 0 || !isIdentity || functions.of(made) != null) {
                places.add(stage, made, functions.effect(stage, made));
            }
        }
    }
}
