package dev.cleave.examples.mandelbrot;

import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.Sync;

/** Computes a picture of the Mandelbrot set row by row. The application file chooses how it is called. */
@Remote
public interface Mandelbrot {

    /** The number of steps after which each point of the row escapes; 0 for a point that does not. */
    @Sync
    @Idempotent
    int[] row(int row);
}
