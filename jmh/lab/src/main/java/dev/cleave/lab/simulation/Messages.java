package dev.cleave.lab.simulation;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import org.jspecify.annotations.Nullable;

/** The messages of simulated calls; all other messages are frames of the real protocol. */
final class Messages {

    private Messages() {}

    /**
     * A call.
     *
     * @param id its number on the wire
     * @param call the number of the call in the simulation
     * @param deadlineNanos the time until its deadline, as the message says
     * @param leftNanos the true time until its deadline, for the checker alone
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
