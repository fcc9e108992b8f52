package dev.cleave.agent.plan.verdict;

import static java.util.Objects.requireNonNull;

/**
 * A word on the remote method that would have kept a call from being sequential (R65).
 *
 * @param word as it is written in the source, {@code @Pure}
 * @param outcome what the call would be then
 * @param window the most calls in flight then
 */
public record Remedy(String word, Verdict.Outcome outcome, int window) {

    /** Checks its components. */
    public Remedy {
        requireNonNull(word, "word");
        requireNonNull(outcome, "outcome");
    }
}
