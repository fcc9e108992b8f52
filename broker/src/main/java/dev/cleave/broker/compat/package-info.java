/** Compares two versions of a program from their class files: what breaks when one calls the other. */
@NullMarked
package dev.cleave.broker.compat;

import org.jspecify.annotations.NullMarked;
