package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;

/** Reads the effects of the functions that a method gives to its streams. */
final class StreamFunctions {

    private final Method method;

    StreamFunctions(Method method) {
        this.method = method;
    }

    /** The function that an op makes, null if it makes none, or it is not known. */
    @Nullable
    Function of(int made) {
        return made >= 0 && method.op(made) instanceof InsnOp op ? Function.of(op) : null;
    }

    /** Returns the reads of the function of a stage; refuses a function that has effects. */
    Effect pure(Pipeline.Stage stage) throws Refused {
        Function function = of(stage.functions().get(0));
        if (function == null || function.isNew() && !function.target().owner.startsWith("java/")) {
            throw unknown(stage);
        }
        Effect effect = method.effects().ofCall(function.target());
        if (!effect.isPure() || !effect.guards().isEmpty()) {
            throw refused(
                    stage.op(), stage.name() + " before the call has effects", "make the function free of effects");
        }
        return effect;
    }

    /** Whether a function is free of effects. */
    boolean isPure(Pipeline.Stage stage) {
        try {
            pure(stage);
            return true;
        } catch (Refused refused) {
            return false;
        }
    }

    /** Returns the effects of a function on an element; refuses a function that is not known. */
    FunctionEffect effect(Pipeline.Stage stage, int made) throws Refused {
        Function function = of(made);
        if (function == null || function.isNew() && !function.target().owner.startsWith("java/")) {
            throw unknown(stage);
        }
        MethodNode own = method.functionCode(function.target());
        return own == null ? foreign(stage, made, function) : own(stage, function, own);
    }

    private FunctionEffect own(Pipeline.Stage stage, Function function, MethodNode code) throws Refused {
        Barrier barrier = method.effects().ofCall(function.target()).barrier();
        if (barrier != null && barrier.kind() == Barrier.Kind.MAY_NOT_RETURN) {
            throw method.refused(stage.op(), barrier);
        }
        return FunctionEffect.of(function, code, method.helpers());
    }

    private FunctionEffect foreign(Pipeline.Stage stage, int made, Function function) throws Refused {
        boolean isBound = function.captured() == 1;
        Effect effect = isBound
                ? method.effects()
                        .ofCall(function.target(), method.op(made).uses().get(0))
                : method.effects().ofCall(function.target());
        if (effect.barrier() != null) {
            throw method.refused(stage.op(), effect.barrier());
        }
        boolean isFilled = isBound
                && effect.guards().stream().allMatch(guard -> guard.kind() == Guard.Kind.PLAIN)
                && effect.writes().stream().allMatch(write -> write.place() instanceof HeapRegion.Contents);
        if (!effect.guards().isEmpty() && !isFilled) {
            throw refused(
                    stage.op(),
                    "the function may call code that the agent does not know",
                    "collect the results, and use them afterwards");
        }
        return isFilled && !effect.writes().isEmpty()
                ? new FunctionEffect(List.of(), Set.of(0))
                : new FunctionEffect(effect.writes(), Set.of());
    }

    Refused unknown(Pipeline.Stage stage) {
        return refused(stage.op(), "the function of " + stage.name() + " is not known", "use a lambda");
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused(Rule.R69, index, reason, advice);
    }
}
