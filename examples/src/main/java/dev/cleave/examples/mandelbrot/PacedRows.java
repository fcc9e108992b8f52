package dev.cleave.examples.mandelbrot;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A machine of given speed: computes each row, then waits until the row has taken as long as it takes that machine. */
public final class PacedRows implements Mandelbrot {

    private static final String ROW = "row";

    private final Rows rows = new Rows();
    private final long rowNanos;

    /**
     * Creates the machine that the options of its replica describe.
     *
     * @param options {@code row}: the microseconds that a row takes, such as {@code 12500}
     */
    public PacedRows(Map<String, String> options) {
        String micros = options.get(ROW);
        if (micros == null || !options.keySet().equals(Map.of(ROW, micros).keySet())) {
            throw new IllegalArgumentException(
                    "options: " + options.keySet() + " (expected: " + ROW + ", the microseconds that a row takes)");
        }
        rowNanos = Duration.ofNanos(Math.multiplyExact(Long.parseLong(micros), 1000))
                .toNanos();
    }

    @Override
    public int[] row(int row) {
        long end = System.nanoTime() + rowNanos;
        int[] steps = rows.row(row);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new IllegalStateException("row " + row + " was interrupted");
            }
        }
        return steps;
    }
}
