package dev.cleave.broker.measure;

import static java.util.Objects.requireNonNull;

/**
 * What a server records of one large argument of one call. Times in nanoseconds.
 *
 * @param service the service
 * @param method the method
 * @param parameter its name, or number from 1 on
 * @param later whether the method could begin before it
 * @param bytes its size
 * @param transfer from the arrival of the request until all of it was there
 * @param firstWait from the beginning of the method until it waited for it; negative if it never did
 * @param waited how long it waited in all
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

    /** The same if the method had begun when all was there. */
    long totalWithout() {
        return duration + transfer - waited;
    }

    /** What needs the argument not yet. Of one that is not later nobody knows. */
    long before() {
        return firstWait >= 0 ? firstWait : Math.min(transfer, duration);
    }
}
