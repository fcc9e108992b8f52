package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The argument is copied to the server, and what the method changes in it is copied back into the caller's own objects:
 * elements of arrays, fields of objects, contents of collections, and so on for all that they lead to. Only parts that
 * have changed travel back. If the call throws, the caller's objects are as they were.
 *
 * <p>A method with such a parameter is called where it is written: {@link Sync}, whatever else is said of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface InOut {}
