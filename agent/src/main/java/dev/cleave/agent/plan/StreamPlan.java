package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * A stream that sends ahead (R69); ops are named by their index.
 *
 * @param source the op that makes the stream
 * @param stages what runs ahead: the stages up to the last function that calls
 * @param end the op that runs the stream
 * @param filled what stages behind the first call write to
 * @param served the receivers of calls behind the first one, which must be stubs
 * @param window the most calls in flight
 */
public record StreamPlan(int source, List<Stage> stages, int end, List<Given> filled, List<Given> served, int window) {

    /**
     * A stage.
     *
     * @param kind what it does, as the core names it
     * @param callee what it calls, null if it calls nothing
     */
    public record Stage(int op, char kind, @Nullable Callee callee) {

        /** Whether it has a function. */
        public boolean hasFunction() {
            return kind != 'L' && kind != 'D';
        }
    }

    /**
     * A function that calls.
     *
     * @param made the op that makes it
     * @param helper the function, if it is one of the class; null if it is a reference to the remote method
     */
    public record Callee(int made, @Nullable Helper helper) {}

    /**
     * An object that a function of the stream is made with.
     *
     * @param op the stage
     * @param made the op that makes the function of that stage
     * @param object holds it there; null for a static field
     * @param field the field of it that is meant, null for the object itself
     */
    public record Given(
            int op,
            int made,
            @Nullable Register object,
            @Nullable FieldInsnNode field) {}

    public StreamPlan {
        stages = List.copyOf(stages);
        filled = List.copyOf(filled);
        served = List.copyOf(served);
    }

    /** The functions that call. */
    public List<Callee> callees() {
        return stages.stream()
                .map(Stage::callee)
                .filter(callee -> callee != null)
                .toList();
    }
}
