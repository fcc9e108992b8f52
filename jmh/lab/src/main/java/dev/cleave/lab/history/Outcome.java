package dev.cleave.lab.history;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.DeadlineException;
import org.jspecify.annotations.Nullable;

/**
 * How one call ended, as its caller saw it.
 *
 * @param call its number, unique in a run
 * @param idempotent whether it may be executed more than once
 * @param end how it ended
 * @param result its result; 0 if it failed
 * @param beganNanos when it was made
 * @param endedNanos when it ended, on the same clock
 */
public record Outcome(long call, boolean idempotent, End end, long result, long beganNanos, long endedNanos) {

    /** The ways in which a call ends. */
    public enum End {
        /** With a result. */
        OK,
        /** It failed, and certainly did not run. */
        NOT_EXECUTED,
        /** It failed, and may have run. */
        IN_DOUBT,
        /** It ran, and its result was lost. */
        EXECUTED,
        /** With something that no call may end with. */
        OTHER;

        /** The kind of end that a failure reports. */
        public static End of(Throwable failure) {
            if (!(failure instanceof CallException call)) {
                return OTHER;
            }
            if (call.notExecuted()) {
                return NOT_EXECUTED;
            }
            return call.maybeExecuted() || call instanceof DeadlineException ? IN_DOUBT : EXECUTED;
        }
    }

    /** Checks its components. */
    public Outcome {
        requireNonNull(end, "end");
    }

    /** How a call ended. */
    public static Outcome of(
            long call, boolean idempotent, @Nullable Throwable failure, long result, long beganNanos, long endedNanos) {
        return new Outcome(
                call, idempotent, failure == null ? End.OK : End.of(failure), result, beganNanos, endedNanos);
    }

    /** How long it took. */
    public long nanos() {
        return endedNanos - beganNanos;
    }
}
