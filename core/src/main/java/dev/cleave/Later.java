package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Streams a value: a parameter is sent after the request, so that the method begins before the parameter has arrived;
 * the result of a method is sent chunk by chunk, so that the caller goes on before all of it is there. Fields of
 * arguments and results are streamed if their type is {@link Value}; other fields arrive with their object.
 *
 * <p>Code that needs a part waits until that part has arrived, and for no other part. A streamed value is a copy of its
 * own: it shares no objects with the other arguments.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.FIELD})
public @interface Later {

    /**
     * A value that may still be arriving, for code without the agent: the type of a parameter, of a result, or of a part of one.
     * As an argument it arrives while its call lasts, or while the result of its call is on its way; as a result, as
     * long as its connection lasts.
     *
     * <p>It may be returned, or passed to another call, before it is complete, and is then forwarded as it arrives: the
     * program must not change its array meanwhile.
     *
     * <p>Thread-safe. Every wait ends: with the failure of the call ({@link CallException}) if the value does not
     * arrive, at the latest when the deadline of the call has passed. An incomplete value is never returned as
     * complete.
     *
     * @param <T> its type
     */
    interface Value<T extends @Nullable Object> {

        /** Returns a {@link Value} that has arrived completely. */
        static <T extends @Nullable Object> Value<T> of(T value) {
            return new LaterHere<>(value);
        }

        /** Waits until all of the value has arrived, and returns it. */
        T get();

        /**
         * Waits at most this long, then throws a {@link DeadlineException}; the value goes on arriving.
         *
         * @param atMost the longest wait, positive
         */
        T get(Duration atMost);

        /**
         * Returns an array of primitives, or an array of such arrays, as soon as its length is known: its elements
         * below {@link #received} have arrived, the others are zero or null. For any other value the same as
         * {@link #get()}.
         */
        T begun();

        /**
         * The number of elements of an array that have arrived, from the first on; of an array of arrays, complete
         * rows. 0 for any other value.
         */
        int received();

        /**
         * Waits until the element of an array has arrived.
         *
         * @param index any number; returns at once if it is outside of the array or the value is no array
         * @return as {@link #received()}
         */
        int await(int index);

        /** Whether all of it has arrived. */
        boolean isHere();

        /**
         * Runs a task once all of the value has arrived or it is certain that it will not arrive; at once if that is so
         * already. Otherwise the task runs on a thread of the connection, and may not block.
         */
        void onArrival(Runnable task);
    }
}
