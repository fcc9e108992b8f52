package dev.cleave.replica;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;

/** Classifies failed attempts by whether the call may be tried again. */
public enum FailureClass {
    /** The call never reached the replica; another one, or a new connection, may serve it. */
    UNSENT,
    /** The replica refused the call for want of room, without executing it; another one may have room. */
    BUSY,
    /** The call may have been executed, or its result is lost; only an idempotent one may be sent again. */
    LOST,
    /** Every replica would give the same answer: the call is not sent again. */
    FINAL;

    /** Classifies a failure that a peer or the connection reported. */
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
                    WAIT_CYCLE,
                    DENIED -> FINAL;
        };
    }
}
