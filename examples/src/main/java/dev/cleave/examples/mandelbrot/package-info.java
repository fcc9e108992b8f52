/**
 * The measurement of the CORD paper, Table 1: a picture of the Mandelbrot set, one call a row, from four machines of
 * different speed. The machines are emulated from the paper's own table, in scaled time; the picture is real.
 */
@NullMarked
package dev.cleave.examples.mandelbrot;

import org.jspecify.annotations.NullMarked;
