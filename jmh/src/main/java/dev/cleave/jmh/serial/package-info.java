/** Measures the cost of values: writing and reading, without a network. */
@NullMarked
package dev.cleave.jmh.serial;

import org.jspecify.annotations.NullMarked;
