package dev.cleave.intercept;

import org.jspecify.annotations.Nullable;

/**
 * Is told how one call of a {@link ClientInterceptor} goes on. Its methods run on threads of the program; what they throw is
 * logged and has no effect on the call.
 */
public interface CallObserver {

    /** The program has come to the call, which was {@linkplain OutgoingCall#isAhead sent ahead}, and waits for its end. */
    default void reached() {}

    /**
     * The call has ended, and the program is told how: on the thread that awaits it, or that completes its future. A one-way
     * call ends when it has been sent.
     *
     * @param result of the method; null for none, and if it failed
     * @param failure what the call throws; null if it returns
     */
    default void ended(@Nullable Object result, @Nullable Throwable failure) {}

    /** The program has given the call up, by cancelling it or by leaving the code that was to make it. */
    default void givenUp() {}
}
