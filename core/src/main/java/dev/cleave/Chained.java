package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Call style of a method whose calls may be sent one behind the other before the first has ended, and are executed by
 * one replica, one at a time, in order; after the first failure the rest are not executed.
 *
 * <p>The set and order of executed calls, and the exception that the caller sees, are those of the program as written.
 * One difference is granted by this word alone: when the caller or its link dies in the middle of a chain, calls may
 * have been executed that a sequential caller had not sent yet. On an interface it speaks for every method that has no
 * style of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Chained {

    /** The window without a bound: it grows while the program waits for calls and that makes it faster. */
    int AUTOMATIC = 0;

    /** The most calls that are in flight; 1 to 65,536, or {@link #AUTOMATIC}, which it is unless set. */
    int window() default AUTOMATIC;
}
