package dev.cleave.agent.plan.method;

import dev.cleave.agent.scan.Reading;

/**
 * A remote call that is made ahead and claimed.
 *
 * @param place the class and method that hold it, {@code com.shop.Search.best}
 * @param line its source line, -1 if unknown
 * @param method the remote method, {@code Interface.method}
 * @param reading what is known of that method
 * @param window the most calls in flight, 0 if the method does not say
 */
public record ReadCall(String place, int line, String method, Reading reading, int window) {

    /** Whether its results must be as new as the call, and other calls may change what it reads. */
    public boolean ages() {
        return isReadOnly() && reading.maxAge().isZero();
    }

    /** Whether it reads what others change. */
    public boolean isReadOnly() {
        return reading.kind() == Reading.Kind.READ_ONLY;
    }

    /** How the core is told of it: how much is known of the method. */
    public String kind() {
        if (reading.kind() == Reading.Kind.PURE) {
            return "PURE";
        }
        return ages() ? "READ_ONLY" : "READ_ONLY_FOR";
    }
}
