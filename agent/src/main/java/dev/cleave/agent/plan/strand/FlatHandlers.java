package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.FunctionCall;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Knows which methods have handlers, by themselves or in what is written in the places of their calls. */
final class FlatHandlers {

    private final int deepest;
    private final Map<Callees, Map<MethodNode, Integer>> none =
            new IdentityHashMap<>(); // the depth from which there are no handlers

    /**
     * Knows nothing yet.
     *
     * @param deepest how many calls are written within each other at most
     */
    FlatHandlers(int deepest) {
        this.deepest = deepest;
    }

    /** Whether a method, or one that is written in it, has handlers. */
    boolean areIn(MethodNode target, FlatSource source) {
        return areIn(target, source, null, 0);
    }

    /**
     * Whether a method, or one that is written in it, has handlers.
     *
     * @param bound the functions that it is given, which are its only calls in whose places code is written
     */
    boolean areIn(MethodNode target, FlatSource source, @Nullable List<BoundFunction> bound) {
        return areIn(target, source, bound, 0);
    }

    private boolean areIn(MethodNode target, FlatSource source, @Nullable List<BoundFunction> bound, int depth) {
        if (bound != null) {
            return !target.tryCatchBlocks.isEmpty() || areIn(bound, depth);
        }
        Map<MethodNode, Integer> known = none.computeIfAbsent(source.in(), in -> new IdentityHashMap<>());
        if (known.getOrDefault(target, Integer.MAX_VALUE) <= depth) {
            return false;
        }
        boolean are = !target.tryCatchBlocks.isEmpty();
        for (AbstractInsnNode insn : target.instructions) {
            if (are || depth > deepest) {
                break;
            }
            are = insn instanceof MethodInsnNode call && areBehind(call, source, depth + 1);
        }
        if (!are) {
            known.put(target, depth);
        }
        return are;
    }

    /** Whether functions, or the methods to which they are handed on, have handlers. */
    private boolean areIn(List<BoundFunction> bound, int depth) {
        for (BoundFunction each : bound) {
            if (areIn(each.given().code(), each.source(), null, depth + 1)) {
                return true;
            }
            for (FunctionCall.Step step : each.given().path()) {
                if (step.callee() != null
                        && !step.callee().code().tryCatchBlocks.isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether what is written in the place of a call has handlers. */
    private boolean areBehind(MethodInsnNode call, FlatSource source, int depth) {
        FunctionCall functions = source.functions(call);
        if (functions != null) {
            List<BoundFunction> given = functions.given().stream()
                    .map(each -> new BoundFunction(each, 0, 0, source))
                    .toList();
            return areIn(functions.callee().code(), source, given, depth);
        }
        MethodNode own = CopiedMethods.target(source.in(), call);
        if (own != null) {
            return areIn(own, source, null, depth);
        }
        Callee callee = CopiedMethods.elsewhere(source.in(), call);
        return callee != null
                && areIn(callee.code(), new FlatSource(source.in().calleesOf(callee), callee.owner()), null, depth);
    }
}
