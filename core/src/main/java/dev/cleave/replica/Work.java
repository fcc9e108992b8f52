package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A call as a policy sees it that weighs calls.
 *
 * @param key the key of the call, by which other policies choose; null if it has none
 * @param kind equal for calls of one method whose arguments have equal types
 * @param size a number with which the time of calls of one kind grows: the priority of the call, or the bytes of its
 *     arguments
 */
public record Work(@Nullable Object key, Object kind, double size) {

    /** Checks its components. */
    public Work {
        requireNonNull(kind, "kind");
    }
}
