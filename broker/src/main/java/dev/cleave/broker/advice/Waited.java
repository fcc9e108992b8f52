package dev.cleave.broker.advice;

import static java.util.Objects.requireNonNull;

/**
 * A time in which a thread of the client was blocked until a call had ended. Times are nanoseconds of the machine's clock.
 *
 * @param call the remote method
 * @param began when the thread began to wait
 * @param ended when it went on
 */
public record Waited(String call, long began, long ended) {

    /** Checks its components. */
    public Waited {
        requireNonNull(call, "call");
    }

    double seconds() {
        return (ended - began) / 1e9;
    }
}
