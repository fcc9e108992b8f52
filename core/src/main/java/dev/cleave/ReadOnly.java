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
     * How old a result may be when the program comes to the call, such as {@code "500ms"} or {@code "1s"}; units are us,
     * ms, s, m and h.
     *
     * <p>Without it a result that was fetched ahead is not used once the program has run unknown code, input or output, or
     * synchronisation since: what it sees is never older than the call. With it, and with it alone, a program asks to see a
     * slightly older state of the server, up to this age.
     */
    String maxAge() default "";
}
