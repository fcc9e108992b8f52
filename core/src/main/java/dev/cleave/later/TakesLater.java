package dev.cleave.later;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose code takes {@link LaterArguments}; bridges of the compiler that lead to such a method carry it too. Whoever calls
 * asks the very method that the class of the object has for the one of the interface: one that overrides it need not take any.
 * Put there by the agent; not for programs.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TakesLater {}
