package dev.cleave.call;

import org.jspecify.annotations.Nullable;

/** An expression over the arguments of a method, compiled. Thread-safe. */
@FunctionalInterface
public interface Expression {

    /**
     * Computes the value of the expression.
     *
     * @param arguments of the call, in the order of the parameters; primitive ones boxed
     * @throws RuntimeException if it cannot be computed from these arguments
     */
    @Nullable
    Object value(@Nullable Object[] arguments);
}
