package dev.cleave;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose methods may be called from another JVM.
 *
 * <p>{@code Node} looks such an interface up and binds implementations of it. {@code java.rmi.Remote} interfaces are
 * accepted without this annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE})
public @interface Remote {}
