/** Runs the experiments over processes of their own, and writes what they measured. */
@NullMarked
package dev.cleave.examples.experiment;

import org.jspecify.annotations.NullMarked;
