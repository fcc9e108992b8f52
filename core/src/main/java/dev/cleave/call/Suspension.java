package dev.cleave.call;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls Kotlin's {@code suspend} methods. Found by {@link java.util.ServiceLoader}; the artifact {@code cleave-kotlin}
 * provides it, so that this module does not need Kotlin's library.
 */
public interface Suspension {

    /**
     * Returns a continuation for one call at the server. It is of Kotlin's type as well, and completes when the method
     * resumes it.
     */
    CompletableFuture<@Nullable Object> continuation();

    /**
     * Takes what a suspend method returned to the server: its result, or the mark that it resumes the continuation later.
     */
    void returned(@Nullable Object returned, CompletableFuture<@Nullable Object> continuation);

    /**
     * Returns what a suspend method of a stub returns: the result, if it has arrived, or the mark that the continuation is
     * resumed when it arrives.
     *
     * @param continuation of the caller
     * @param isUnit whether the method is declared without a result
     */
    @Nullable
    Object await(CompletableFuture<@Nullable Object> result, Object continuation, boolean isUnit);
}
