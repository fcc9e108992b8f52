package dev.cleave.later;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose code takes {@link LaterArguments}; bridges of the compiler that lead to such a method carry it too.
 * The server looks for this annotation on the method that the class of the object has for the one of the interface: a
 * method that overrides it may lack it. The agent adds it; not for programs.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TakesLater {}
