package dev.cleave.lab.simulation;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import org.jspecify.annotations.Nullable;

/** What simulated calls consist of; all else that goes over a wire are the records of the real one. */
final class Messages {

    private Messages() {}

    /**
     * A call.
     *
     * @param id its number on the wire
     * @param call which call it is
     * @param deadlineNanos what is said to be left until its deadline
     * @param leftNanos what is left until its deadline, for the checker alone
     */
    record Asked(long id, long call, long deadlineNanos, long leftNanos) {}

    /**
     * The end of a call.
     *
     * @param id its number on the wire
     * @param result its result, if it did not fail
     * @param code why it failed, null if it did not
     * @param execution whether it ran
     */
    record Answered(long id, long result, @Nullable ErrorCode code, Execution execution) {}
}
