package dev.cleave.agent.plan.verdict;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of planning for one remote call, or for a parameter that may arrive later.
 *
 * @param line the source line of the call, -1 if unknown
 * @param call the remote method, {@code Interface.method}
 * @param window the most calls in flight, for {@link Outcome#PIPELINED}, {@link Outcome#PREFETCHED} and
 *     {@link Outcome#CHAINED}
 * @param refusal why it stays, for {@link Outcome#SEQUENTIAL}
 * @param remedy the word that would free it, null if there is none or it was not searched for
 * @param isHelpers whether it is the call of a helper: the remote call counts where the helper makes it
 * @param overlap which calls overlap, for the first call of a nest whose calls strands send; else null
 */
public record Verdict(
        int line,
        String call,
        Outcome outcome,
        int window,
        @Nullable Refusal refusal,
        @Nullable Remedy remedy,
        boolean isHelpers,
        @Nullable Overlap overlap) {

    /** A verdict without a remedy. */
    public Verdict(int line, String call, Outcome outcome, int window, @Nullable Refusal refusal) {
        this(line, call, outcome, window, refusal, null, false, null);
    }

    /** Returns the same verdict on the call of a helper. */
    public Verdict ofHelper() {
        return new Verdict(line, call, outcome, window, refusal, remedy, true, overlap);
    }

    /** Returns the same verdict with a remedy. */
    public Verdict with(Remedy found) {
        return new Verdict(line, call, outcome, window, refusal, found, isHelpers, overlap);
    }

    /** Returns the same verdict for another reason, or with other advice. */
    public Verdict with(Refusal other) {
        return new Verdict(line, call, outcome, window, other, remedy, isHelpers, overlap);
    }

    /** Returns the same verdict on the first call of a nest. */
    public Verdict with(Overlap nest) {
        return new Verdict(line, call, outcome, window, refusal, remedy, isHelpers, nest);
    }

    /** The outcomes of planning. */
    public enum Outcome {
        /** Sent together with others. */
        SPLIT,
        /** Sent ahead by its loop. */
        PIPELINED,
        /** Fetched ahead, claimed at its place. */
        PREFETCHED,
        /** Sent behind the call before it, executed in order. */
        CHAINED,
        /** Sent with the call whose result it needs, which the server passes on to it. */
        PROMISED,
        /** Not a call: a parameter that may arrive while its method runs. */
        LATER,
        /** Stays where it is. */
        SEQUENTIAL
    }
}
