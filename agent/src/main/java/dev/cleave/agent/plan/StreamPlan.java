package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream that sends ahead (R69); ops are named by their index.
 *
 * @param source the op that makes the stream
 * @param before the stages between the source and the call
 * @param call the stage whose function calls
 * @param end the op that runs the stream
 * @param filled what stages behind the call write to
 * @param helper the function, if it is one of the class; null if it is a reference to the remote method
 * @param reference the op that makes the function
 * @param window the most calls in flight
 */
public record StreamPlan(
        int source,
        List<Stage> before,
        int call,
        int end,
        List<Filled> filled,
        @Nullable Helper helper,
        int reference,
        int window) {

    /**
     * A stage in front of the call.
     *
     * @param isFilter whether it keeps elements or not; else it maps them
     */
    public record Stage(int op, boolean isFilter) {}

    /**
     * An object that must be a plain collection or text buffer of the JDK, and not the source of the stream.
     *
     * @param op the stage that writes to it
     * @param made the op that makes the function of that stage
     * @param object holds it there
     */
    public record Filled(int op, int made, Register object) {}

    public StreamPlan {
        before = List.copyOf(before);
        filled = List.copyOf(filled);
    }
}
