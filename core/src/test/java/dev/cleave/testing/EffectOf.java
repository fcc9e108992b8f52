package dev.cleave.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test, or a class of tests: it shows what keys of the application file do in a process that runs, not how they are read.
 * {@code EveryKeyHasAnEffectTest} looks for these annotations in the sources of all modules.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.SOURCE)
public @interface EffectOf {

    /** The keys, such as {@code services.window}; those of a method by the same names as those of its service. */
    String[] value();
}
