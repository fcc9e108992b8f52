package dev.cleave.replica;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;

/** What a failed attempt says about trying again. */
public enum FailureClass {
    /** The call never reached the replica; another one, or a new connection, may serve it. */
    UNSENT,
    /** The replica refused the call for want of room, without executing it; another one may have room. */
    BUSY,
    /** The call may have been executed, or its result is lost; only an idempotent one may be issued again. */
    LOST,
    /** The answer stands, whichever replica gives it. */
    FINAL;

    /** The class of a failure, as a peer or the connection reported it. */
    public static FailureClass of(ErrorCode code, Execution execution) {
        return switch (code) {
            case CONNECTION_LOST ->
                switch (execution) {
                    case NOT -> UNSENT;
                    case MAYBE, EXECUTED -> LOST;
                };
            case OVERLOAD -> execution == Execution.NOT ? BUSY : FINAL;
            case THROWN,
                    NO_SUCH_METHOD,
                    NO_REPLICA,
                    DEADLINE,
                    REFUSED_TYPE,
                    CANCELLED,
                    PROTOCOL,
                    VERSION,
                    TOO_LARGE,
                    INTERNAL,
                    NOT_REGISTERED,
                    ALREADY_BOUND,
                    NO_SUCH_REFERENCE,
                    WAIT_CYCLE -> FINAL;
        };
    }
}
