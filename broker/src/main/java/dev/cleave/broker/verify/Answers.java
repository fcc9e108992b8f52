package dev.cleave.broker.verify;

import org.jspecify.annotations.Nullable;

/** Where the outcomes of calls come from. Safe for use by any thread. */
@FunctionalInterface
interface Answers {

    /**
     * Executes a call.
     *
     * @param arguments as they came, null for none
     * @throws Throwable what the remote method throws
     */
    @Nullable
    Object answer(Served call, Object @Nullable [] arguments) throws Throwable;
}
