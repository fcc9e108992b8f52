/**
 * What can be learnt from class files without loading a class: remote call sites, remote interfaces, super-classes.
 *
 * <p>Everything here may be used by several threads at a time; no lock is held while a class file is read.
 */
@NullMarked
package dev.cleave.agent.scan;

import org.jspecify.annotations.NullMarked;
