package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a remote call itself, as opposed to an exception that the remote method threw.
 *
 * <p>It answers whether the method may have run: exactly one of {@link #notExecuted()}, {@link #maybeExecuted()} and
 * {@link #executed()} is true.
 */
public class CallException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final Execution execution;
    private final CallSite site;

    /** What is known about the execution of a failed call. */
    public enum Execution {
        /** The method certainly did not begin. */
        NOT_EXECUTED,
        /** The method may have run, wholly or in part, or may still be running. */
        MAYBE_EXECUTED,
        /** The method ran to its end, but its outcome could not be delivered. */
        EXECUTED
    }

    /**
     * The destination of a failed call.
     *
     * @param service the service's name
     * @param method the method, as {@code Interface.method}
     * @param replica the replica it was sent to, or null if none was chosen
     * @param idempotent whether the method may be executed again
     */
    public record CallSite(
            String service, String method, @Nullable String replica, boolean idempotent) implements Serializable {

        /** Checks its components. */
        public CallSite {
            requireNonNull(service, "service");
            requireNonNull(method, "method");
        }
    }

    /** Creates the failure of the call described by {@code site}. */
    public CallException(String message, Execution execution, CallSite site, @Nullable Throwable cause) {
        super(message, cause);
        this.execution = requireNonNull(execution, "execution");
        this.site = requireNonNull(site, "site");
    }

    /** Says that the method certainly did not begin. */
    public final boolean notExecuted() {
        return execution == Execution.NOT_EXECUTED;
    }

    /** Says that the method may have run, wholly or in part, or may still be running. */
    public final boolean maybeExecuted() {
        return execution == Execution.MAYBE_EXECUTED;
    }

    /** Says that the method ran to its end, but its outcome could not be delivered. */
    public final boolean executed() {
        return execution == Execution.EXECUTED;
    }

    /** Says that calling again cannot execute the method twice against its declaration. */
    public final boolean retrySafe() {
        return notExecuted() || site.idempotent();
    }

    /** The name of the service that was called. */
    public final String service() {
        return site.service();
    }

    /** The method that was called, as {@code Interface.method}. */
    public final String method() {
        return site.method();
    }

    /** The replica that the call was sent to, or null if none was chosen. */
    public final @Nullable String replica() {
        return site.replica();
    }
}
