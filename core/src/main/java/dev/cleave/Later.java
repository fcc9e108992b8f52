package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Follows its call: a parameter, or a field of an argument, is sent behind the request, so that the method begins before it has
 * arrived; the result of a method is sent piece by piece, so that the caller goes on before all of it is there.
 *
 * <p>Whoever needs a part that is not there yet waits for it, and for no more.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.FIELD})
public @interface Later {}
