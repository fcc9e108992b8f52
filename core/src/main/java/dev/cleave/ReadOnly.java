package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a method changes nothing, though it may read the state of the server. Implies {@link Idempotent}; without a
 * call style the call may be moved as an {@link Async} one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ReadOnly {

    /**
     * How old a result may be when the program reaches the call, such as {@code "500ms"} or {@code "1s"}; units are us,
     * ms, s, m and h.
     *
     * <p>Without it the program does not use a prefetched result after it has run unknown code, input or output, or
     * synchronisation: so it never sees a state older than its call. Only by setting it a program accepts a slightly
     * older state of the server, up to this age.
     */
    String maxAge() default "";
}
