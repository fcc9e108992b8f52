package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Call style of a method that runs exactly where it is written: never moved, and a barrier for the calls around it.
 *
 * <p>This is the default. On an interface it holds for every method without a style of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Sync {}
