package dev.cleave.agent.plan;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of one remote call.
 *
 * @param line the source line of the call, -1 if unknown
 * @param call the remote method, {@code Interface.method}
 * @param window the most calls in flight, for {@link Outcome#PIPELINED}
 * @param refusal why it stays, for {@link Outcome#SEQUENTIAL}
 */
public record Verdict(
        int line,
        String call,
        Outcome outcome,
        int window,
        @Nullable Refusal refusal) {

    /** What becomes of calls. */
    public enum Outcome {
        /** Sent together with others. */
        SPLIT,
        /** Sent ahead by its loop. */
        PIPELINED,
        /** Stays where it is. */
        SEQUENTIAL
    }
}
