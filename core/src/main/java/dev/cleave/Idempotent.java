package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a method may be executed again: a call whose replica died is sent to another one.
 *
 * <p>Without it a call runs at most once, and one whose fate is unknown ends in a {@link CallException} with
 * {@link CallException#maybeExecuted()}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Idempotent {

    /**
     * When an unanswered call is sent to a second replica: after a time, as in {@code "50ms"}, or when it takes longer
     * than a percentage of the calls, as in {@code "p95"}. The first reply counts, and the other request is cancelled.
     * Empty for never.
     */
    String hedge() default "";
}
