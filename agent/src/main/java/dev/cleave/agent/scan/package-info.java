/**
 * Finds out cheaply whether a class calls anything remote: constant pools, interfaces read from their class files, never
 * loaded. Thread-safe; no lock is held while a class file is read.
 */
@NullMarked
package dev.cleave.agent.scan;

import org.jspecify.annotations.NullMarked;
