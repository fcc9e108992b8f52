package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Call style of a {@code void} method whose calls return when the request has been handed to the connection. They keep
 * the order of their thread per replica; failures are counted and logged, never thrown.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OneWay {}
