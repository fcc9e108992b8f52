package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Call style of a method that may start earlier than written and may overlap other such calls.
 *
 * <p>A call may have been executed although an exception then kept the caller from reaching it. It is never executed
 * when the normal flow of the caller would not reach it, and it does not change objects of the caller through
 * callbacks. On an interface it holds for every method without a style of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Async {

    /** The window without a bound: it grows while the program waits for calls and that makes it faster. */
    int AUTOMATIC = 0;

    /** The most calls that a loop keeps in flight; 1 to 65,536, or {@link #AUTOMATIC}, which it is unless set. */
    int window() default AUTOMATIC;

    /**
     * Whether a call may also be started when a branch, {@code break} or {@code return} would have skipped it. Its result
     * is then discarded.
     */
    boolean speculative() default false;

    /**
     * Calls of different groups commute; calls of one group keep their order. The empty text is no group: such calls may
     * overlap all others.
     *
     * <p>Since groups commute, a call of one group does not invalidate the prefetched result of a {@link ReadOnly}
     * method of another group, whatever interfaces declare the two methods. A call without a group does.
     */
    String group() default "";
}
