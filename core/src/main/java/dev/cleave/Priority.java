package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Orders the calls that wait at a server: a call runs before those for which an expression over the arguments is
 * smaller. Among equals the first that arrived runs first. Calls on which a caller is blocked run before calls that
 * were only sent ahead, whatever their priority; and every 16th call taken is the one that has waited longest, so that
 * none starves.
 *
 * <p>The expression names the parameters, as in {@code "sequence.length()"}. It is checked when the service is bound, and
 * needs {@code commons-jexl3} on the class path of the server. A call whose expression fails has priority 0.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Priority {

    /** The expression; its value must be a number. */
    String value();
}
