package dev.cleave.broker.advice;

import static java.util.Objects.requireNonNull;

/**
 * A call that a server has run. Times are nanoseconds of the machine's clock.
 *
 * @param replica the process that ran it
 * @param method service and method
 * @param arrived when its request, or its turn, had come
 * @param began when its method began
 * @param ended when its method had returned
 * @param processor the processor time of the method; negative if unknown
 */
public record Served(String replica, String method, long arrived, long began, long ended, long processor) {

    /** Checks its components. */
    public Served {
        requireNonNull(replica, "replica");
        requireNonNull(method, "method");
    }

    double running() {
        return (ended - began) / 1e9;
    }

    double queued() {
        return (began - arrived) / 1e9;
    }
}
