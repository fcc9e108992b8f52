package dev.cleave.broker.measure;

import static java.util.Objects.requireNonNull;

/**
 * A server's record of one large argument of one call. Times are in nanoseconds.
 *
 * @param service the service
 * @param method the method
 * @param parameter its name, or number from 1 on
 * @param later whether the method could begin before the argument had arrived
 * @param bytes its size
 * @param transfer from the arrival of the request until all of the argument was there
 * @param firstWait from the beginning of the method until it first waited for the argument; negative if it never did
 * @param waited the sum of its waits
 * @param duration how long the method ran
 */
public record Sample(
        String service,
        String method,
        String parameter,
        boolean later,
        long bytes,
        long transfer,
        long firstWait,
        long waited,
        long duration) {

    /** Checks its components. */
    public Sample {
        requireNonNull(service, "service");
        requireNonNull(method, "method");
        requireNonNull(parameter, "parameter");
    }

    /** Service, method and parameter. */
    String place() {
        return service + "." + method + ", " + parameter;
    }

    /** From the arrival of the request to the end of the method. */
    long total() {
        return later ? duration : transfer + duration;
    }

    /** The same time if the method had begun when all was there. */
    long totalWithout() {
        return duration + transfer - waited;
    }

    /** The time before the method needs the argument; unknown for an argument that is not {@code @Later}. */
    long before() {
        return firstWait >= 0 ? firstWait : Math.min(transfer, duration);
    }
}
