package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Call style of a method whose calls may be sent one after the other before the first has ended. They are executed one at a
 * time, in order, and none after the first failure: by one replica those of one stub, by several those of several.
 *
 * <p>The set and order of executed calls, and the exception that the caller sees, are those of the program as written.
 * This annotation allows one difference: when the caller or its connection dies in the middle of a chain, the server
 * may have executed calls that a sequential caller had not sent yet. On an interface it holds for every method without
 * a style of its own.
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
