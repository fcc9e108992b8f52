package dev.cleave.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call that has reached a service.
 *
 * @param type the remote interface
 * @param method the name of the method
 * @param arguments the arguments
 * @param began when it began, in nanoseconds of the clock that {@link CleaveServices#advance} sets forward
 * @param ended when it ended; {@link Long#MAX_VALUE} if it has not
 * @param failure what it threw, or null
 */
public record Call(
        Class<?> type,
        String method,
        List<@Nullable Object> arguments,
        long began,
        long ended,
        @Nullable Throwable failure) {

    /** Copies the arguments. */
    public Call {
        arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
    }

    /** Whether both were being executed at one moment. */
    public boolean overlaps(Call other) {
        return began < other.ended && other.began < ended;
    }

    /** The call as a program would write it: {@code stock(apples, 3)}. */
    @Override
    public String toString() {
        return arguments.stream().map(String::valueOf).collect(Collectors.joining(", ", method + "(", ")"));
    }
}
