package dev.cleave.broker.verify;

import org.jspecify.annotations.Nullable;

/** Answers calls. Safe for use by any thread. */
@FunctionalInterface
interface Answers {

    /**
     * Executes a call.
     *
     * @param arguments the arguments, null for none
     * @throws Throwable the exception of the remote method
     */
    @Nullable
    Object answer(Served call, Object @Nullable [] arguments) throws Throwable;
}
