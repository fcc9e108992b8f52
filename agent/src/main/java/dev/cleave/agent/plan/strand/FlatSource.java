package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.FunctionCall;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The code of a class that is written in the place of a call.
 *
 * @param in what its calls call
 * @param elsewhere internal name of the class, null if that is the class that is planned
 */
record FlatSource(Callees in, @Nullable String elsewhere) {

    /** The functions that a call is given, and what calls them; null if none is known. */
    @Nullable
    FunctionCall functions(MethodInsnNode call) {
        return elsewhere == null ? in.functions(call) : null;
    }
}
