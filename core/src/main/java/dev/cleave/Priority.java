package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which of the calls that wait at a server goes first: those for which an expression over the arguments is greater. Among
 * equals the first that came. Calls that somebody already waits for go before calls that are only sent ahead, whatever
 * their priority; and every 16th call taken is the one that has waited longest, so that none starves.
 *
 * <p>The expression names the parameters, as in {@code "sequence.length()"}. It is checked when the service is bound, and
 * needs {@code commons-jexl3} on the class path of the server. A call whose expression fails has priority 0.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Priority {

    /** The expression; a number comes out of it. */
    String value();
}
