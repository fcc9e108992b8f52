package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Both sides must have the same version of the class: the same fields of the same types, or the same constants. A value
 * of another version is refused, and the message names the difference.
 *
 * <p>Without it, versions are matched by the names of the fields: a field that the sender lacks is 0, false or null, or
 * what the constructor without parameters gives it; a field that the receiver lacks is dropped.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SameVersion {}
