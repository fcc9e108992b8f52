package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Follows its call: a parameter is sent behind the request, so that the method begins before it has arrived; the result of a
 * method is sent piece by piece, so that the caller goes on before all of it is there. Fields of arguments and results follow
 * if they are of type {@link Value}; others come with their object.
 *
 * <p>Whoever needs a part that is not there yet waits for it, and for no more. A later value is a copy of its own: it shares no
 * objects with the other arguments.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.FIELD})
public @interface Later {

    /**
     * A value that may still be arriving, for code without the agent: the type of a parameter, of a result, or of a part of one.
     * Arrives while its call lasts, or the result of that is on its way, as an argument; for as long as its connection does, as
     * a result.
     *
     * <p>It may be returned, or given to another call, before it is whole, and is sent on as it comes: its array must not be
     * changed then.
     *
     * <p>Thread-safe. Every wait ends: with the failure of the call ({@link CallException}) if the value does not come, at the
     * latest when the deadline of the call has passed. What is not whole is never returned as whole.
     *
     * @param <T> its type
     */
    interface Value<T extends @Nullable Object> {

        /** A value that is here. */
        static <T extends @Nullable Object> Value<T> of(T value) {
            return new LaterHere<>(value);
        }

        /** The value, when all of it has arrived. */
        T get();

        /**
         * Waits at most this long, then throws a {@link DeadlineException}; the value goes on arriving.
         *
         * @param atMost the longest wait, positive
         */
        T get(Duration atMost);

        /**
         * An array of primitives, or of such arrays, as soon as it is known how long it is: its elements below {@link #received}
         * are there, the others are zero or null. Anything else as {@link #get()}.
         */
        T begun();

        /** How many elements of an array have arrived, counted from 0; of an array of arrays whole rows. Of anything else 0. */
        int received();

        /**
         * Waits until the element of an array has arrived.
         *
         * @param index any; for one outside of the array, and for what is no array, returns at once
         * @return as {@link #received()}
         */
        int await(int index);

        /** Whether all of it has arrived. */
        boolean isHere();

        /**
         * Runs a task when all of it has arrived, or it is known that it will not; at once if so. On a thread of the connection:
         * the task may not block.
         */
        void onArrival(Runnable task);
    }
}
