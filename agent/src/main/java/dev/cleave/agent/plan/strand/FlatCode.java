package dev.cleave.agent.plan.strand;

import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A method with helpers in the places of their calls, ready for plans.
 *
 * @param code where its instructions come from
 * @param method the same code, with its effects
 * @param nest its loops
 */
record FlatCode(FlatMethod code, Method method, LoopNest nest) {

    /** A method with all its helpers; null if it calls none, or if one of them cannot be written in the place of its call. */
    static @Nullable FlatCode of(Method method, boolean loops) {
        MethodBody body = method.graph().body();
        return of(FlatMethod.of(body.owner(), body.original(), method.helpers(), loops), method.helpers());
    }

    /** A method with those helpers that some of its ops call and that can be written there; null if there are none. */
    static @Nullable FlatCode ofPart(Method method, BitSet ops, boolean loops) {
        Set<AbstractInsnNode> part = instructions(method, ops);
        MethodNode real = method.graph().body().original();
        return of(
                FlatMethod.ofPart(method.graph().body().owner(), real, method.helpers(), loops, part::contains),
                method.helpers());
    }

    /** Looks at the code; null if there is none, or none in which strands can be planned. */
    static @Nullable FlatCode of(@Nullable FlatMethod code, Callees helpers) {
        if (code == null) {
            return null;
        }
        try {
            MethodBody body = code.body();
            ControlFlowGraph blocks = ControlFlowGraph.of(body);
            LoopNest nest = LoopNest.of(blocks, Dominators.of(blocks));
            return nest.reducible() ? new FlatCode(code, helpers.method(body), nest) : null;
        } catch (Unsupported e) {
            return null; // too large
        }
    }

    /** The instructions of some ops of a method. */
    static Set<AbstractInsnNode> instructions(Method method, BitSet ops) {
        Set<AbstractInsnNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp op) {
                found.add(op.insn());
            }
        }
        return found;
    }
}
