/** Breaks processes on purpose while others call them, and holds what comes of it against what was promised. */
@NullMarked
package dev.cleave.lab.chaos;

import org.jspecify.annotations.NullMarked;
