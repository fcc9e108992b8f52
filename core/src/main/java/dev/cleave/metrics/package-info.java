/** Counters and meters of a running process, for operators: bounds in use, refusals, the flight recorder. */
@NullMarked
package dev.cleave.metrics;

import org.jspecify.annotations.NullMarked;
