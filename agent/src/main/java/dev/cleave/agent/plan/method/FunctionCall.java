package dev.cleave.agent.plan.method;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A call that gives lambda expressions which make remote calls to a method of the program that does nothing with them but call
 * them, as {@code retry(() -> service.get(id))} does (R71).
 *
 * @param callee the method that is given them
 */
public record FunctionCall(Callee callee, List<Given> given) {

    /**
     * A lambda expression that is made right where it is given.
     *
     * @param code the method that it runs
     * @param path the calls that lead from the method that is given it to the place where it is called, that one last
     */
    public record Given(Function function, MethodNode code, List<Step> path) {

        /** Copies its components. */
        public Given {
            path = List.copyOf(path);
        }
    }

    /**
     * A call that hands on a function, or calls it.
     *
     * @param callee the method to which it is handed on, null if the function is called
     */
    public record Step(MethodInsnNode call, @Nullable Callee callee) {}

    /** Copies its components. */
    public FunctionCall {
        given = List.copyOf(given);
    }
}
