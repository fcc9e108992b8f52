package dev.cleave;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call, which may not have arrived yet.
 *
 * <p>Safe for use by any thread. Every wait ends: at the latest when the deadline of the call has passed.
 *
 * @param <T> the type of the result
 */
public interface Pending<T extends @Nullable Object> {

    /**
     * Waits for the result. If the waiting thread is interrupted, the call is {@linkplain #cancel cancelled}, this method
     * throws a {@link CallException}, and the thread stays interrupted; not so for interfaces of {@code java.rmi}, whose
     * calls no interrupt ends.
     *
     * <p>An exception of the remote method is thrown as itself, checked or not; a failure of the call itself is a
     * {@link CallException}.
     */
    T await();

    /**
     * Waits at most this long, then throws a {@link DeadlineException}; the call goes on.
     *
     * @param atMost the longest wait, positive
     */
    T await(Duration atMost);

    /** Says whether {@link #await()} would return or throw at once. */
    boolean isDone();

    /**
     * Gives the call up: the server drops it if it has not begun; if it runs, the thread that runs it is interrupted, and
     * {@link CallContext#isCancelled} says so.
     *
     * @return {@code false} if the result had already arrived, so that nothing changed
     */
    boolean cancel();

    /**
     * A future that completes as this does. To cancel it {@linkplain #cancel cancels} the call; to complete it does not reach
     * the server.
     */
    CompletableFuture<T> toCompletableFuture();
}
