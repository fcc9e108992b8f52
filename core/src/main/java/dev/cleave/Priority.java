package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Orders the calls that wait at their caller, at the broker or at a server: a call goes before those for which an
 * expression over the arguments is smaller. Among equals one on which a caller is blocked goes first, then the first that
 * arrived; {@code prefer: blocked} in the application file lets blocked callers go first whatever the priority. Every 16th
 * call taken is the one that has waited longest, so that none starves.
 *
 * <p>The expression names the parameters, as in {@code "sequence.length()"}. It is checked when the service is bound, and
 * needs {@code commons-jexl3} on the class path of the server, and of the caller if it is to hold before the call has come
 * to the server. A call whose expression fails has priority 0.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Priority {

    /** The expression; its value must be a number. */
    String value();
}
