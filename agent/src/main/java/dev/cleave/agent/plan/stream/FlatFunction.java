package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function that makes a stream of each element, whose elements a later call needs (R69). */
final class FlatFunction {

    private final Method method;
    private final Pipeline.Stage stage;

    FlatFunction(Method method, Pipeline.Stage stage) {
        this.method = method;
        this.stage = stage;
    }

    /**
     * Adds the places from which the streams that a function returns take their elements; refuses a function that does not
     * return the stream of a collection or an array as it is.
     */
    void addReads(@Nullable Helper helper, StreamReads places) throws Refused {
        if (helper == null) {
            throw refused();
        }
        Method code = method.helpers().method(helper.body());
        PipelineReader reader = new PipelineReader(code);
        for (int i = 0; i < code.graph().size(); i++) {
            if (!(code.op(i) instanceof ReturnOp)) {
                continue;
            }
            int made = code.whole().origin(i, code.op(i).uses().get(0));
            HeapRegion elements = made < 0 ? null : reader.sourceOf(made);
            if (elements == null) {
                throw refused();
            }
            int holder = code.whole().origin(made, code.op(made).uses().get(0));
            if (holder >= 0 && helper.slice().sends().contains(holder) && code.helper(holder) == null) {
                places.readsResults(elements);
            } else {
                places.reads(List.of(new Access(elements, null, null)));
            }
        }
    }

    private Refused refused() {
        return method.refused(
                Rule.R69,
                stage.op(),
                "the function of " + stage.name() + " does not return the stream of a list or an array as it is",
                "do it in a stage of its own");
    }
}
