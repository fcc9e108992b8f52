/** Measures the cost of calls between their stub and the wire: the table of pending calls, and the await. */
@NullMarked
package dev.cleave.jmh.call;

import org.jspecify.annotations.NullMarked;
