package dev.cleave.lab.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Compares the outcomes of calls with the executions that servers have logged.
 *
 * @param result what a call must return
 * @param mostAttempts how often an idempotent call may be executed
 * @param deadline of each call
 */
public record Checker(LongUnaryOperator result, int mostAttempts, Duration deadline) {

    /** How much later than its deadline a call may end. */
    public static final Duration GRACE = Duration.ofMillis(250);

    private static final int MOST_TOLD = 20;

    /** The promises. */
    public enum Invariant {
        /** A call that is not idempotent is executed at most once. */
        AT_MOST_ONCE,
        /** A result comes of an execution, and is the right one. */
        RESULT_OF_AN_EXECUTION,
        /** A call that is reported as not executed was not executed. */
        NOT_EXECUTED_IS_NOT,
        /** An idempotent call is executed no more often than it may be sent. */
        FEW_ATTEMPTS,
        /** Each call ends once, and in time. */
        ONE_OUTCOME_IN_TIME,
        /** A call ends as calls may. */
        KNOWN_END,
        /** A server does not begin a call whose deadline has passed while it waited there. */
        EXPIRED_IS_NOT_RUN,
        /** A write of whose position its caller was told is at that position. */
        WRITTEN,
        /** A call that began after another had ended with a result is written after it. */
        ORDER,
        /** Calls lose their outcome only where something broke that knew it, and no more than that knew. */
        LITTLE_DOUBT,
        /** When enough replicas and links work again, calls succeed. */
        LIVENESS,
        /** An object can be called as long as a peer holds a reference of it. */
        HELD_LIVES,
        /** A replica whose name another process has taken gets no more calls. */
        DISPLACED_IS_LEFT
    }

    /**
     * A promise that was not kept.
     *
     * @param invariant which
     * @param call of which call
     * @param story what happened
     */
    public record Broken(Invariant invariant, long call, String story) {

        @Override
        public String toString() {
            return invariant + ": call " + call + ": " + story;
        }
    }

    /**
     * The promises that were not kept, at most {@value #MOST_TOLD} of them.
     *
     * @param made the numbers of all calls that were made
     * @param executions how often each call was begun by a server
     */
    public List<Broken> check(Collection<Long> made, Collection<Outcome> outcomes, Map<Long, Integer> executions) {
        List<Broken> broken = new ArrayList<>();
        Set<Long> ended = new HashSet<>();
        for (Outcome outcome : outcomes) {
            if (broken.size() >= MOST_TOLD) {
                return broken;
            }
            if (!ended.add(outcome.call())) {
                broken.add(new Broken(Invariant.ONE_OUTCOME_IN_TIME, outcome.call(), "ended twice"));
            }
            check(outcome, executions.getOrDefault(outcome.call(), 0), broken);
        }
        for (Long call : made) {
            if (!ended.contains(call) && broken.size() < MOST_TOLD) {
                broken.add(new Broken(Invariant.ONE_OUTCOME_IN_TIME, call, "never ended"));
            }
        }
        return broken;
    }

    private void check(Outcome outcome, int executions, List<Broken> broken) {
        long call = outcome.call();
        String story = outcome.end() + " after " + outcome.nanos() / 1_000_000 + " ms, executed " + executions
                + " times" + (outcome.idempotent() ? ", idempotent" : "");
        if (!outcome.idempotent() && executions > 1) {
            broken.add(new Broken(Invariant.AT_MOST_ONCE, call, story));
        }
        if (outcome.idempotent() && executions > mostAttempts) {
            broken.add(new Broken(Invariant.FEW_ATTEMPTS, call, story));
        }
        if (outcome.nanos() > deadline.plus(GRACE).toNanos()) {
            broken.add(new Broken(Invariant.ONE_OUTCOME_IN_TIME, call, story));
        }
        switch (outcome.end()) {
            case OK -> {
                long expected = result.applyAsLong(call);
                if (executions == 0 || outcome.result() != expected) {
                    broken.add(new Broken(
                            Invariant.RESULT_OF_AN_EXECUTION,
                            call,
                            story + ", result " + outcome.result() + " (expected: " + expected + ")"));
                }
            }
            case NOT_EXECUTED -> {
                if (executions > 0) {
                    broken.add(new Broken(Invariant.NOT_EXECUTED_IS_NOT, call, story));
                }
            }
            case EXECUTED -> {
                if (executions == 0) {
                    broken.add(new Broken(Invariant.RESULT_OF_AN_EXECUTION, call, story));
                }
            }
            case IN_DOUBT -> {}
            case OTHER -> broken.add(new Broken(Invariant.KNOWN_END, call, story));
        }
    }
}
