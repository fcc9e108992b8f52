package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter is an array that the method fills: only its length goes to the server, and that of its rows if it is an
 * array of arrays. The method finds zeros, false and null in it. When the call has returned, the caller's own array has
 * the contents that the method has left. If the call throws, the caller's array is as it was.
 *
 * <p>A method with such a parameter is called where it is written: {@link Sync}, whatever else is said of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Out {}
