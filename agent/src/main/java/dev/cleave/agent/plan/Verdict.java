package dev.cleave.agent.plan;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of one remote call.
 *
 * @param line the source line of the call, -1 if unknown
 * @param call the remote method, {@code Interface.method}
 * @param window the most calls in flight, for {@link Outcome#PIPELINED}, {@link Outcome#PREFETCHED} and {@link Outcome#CHAINED}
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
        /** Fetched ahead, claimed at its place. */
        PREFETCHED,
        /** Sent behind the call before it, executed in order. */
        CHAINED,
        /** Stays where it is. */
        SEQUENTIAL
    }
}
