package dev.cleave.intercept;

import org.jspecify.annotations.Nullable;

/**
 * Sees the calls that stubs of a node make. Several interceptors see each call in the order in which they were registered:
 * first those of {@code NodeOptions}, then those that the application file names for the service.
 *
 * <p>An interceptor runs when the call is <em>sent</em>, on the thread of the program. With the agent that may be before the
 * program has come to the call: its order among other sends is that of the program, but code between two calls may run
 * after the second send. An exception that {@link #sends} throws is thrown by the call, at its place, and the call is
 * not sent. Implementations are thread-safe, and do not block.
 */
@FunctionalInterface
public interface ClientInterceptor {

    /**
     * Handles that a call is about to be sent.
     *
     * @return is told how the call goes on; null if that is not wanted
     * @throws RuntimeException to forbid the call: its caller gets this exception
     */
    @Nullable CallObserver sends(OutgoingCall call);

    /**
     * Whether {@link #sends} may be run for calls that the program perhaps never makes: those of {@code @Pure} and
     * {@code @ReadOnly} methods that the agent prefetches. If one of the interceptors of a service says no, as by default,
     * calls of that service are not prefetched.
     */
    default boolean allowsPrefetch() {
        return false;
    }
}
