package dev.cleave.examples.mandelbrot;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A machine of given speed: computes each row, then waits until the row has taken as long as it takes that machine.
 *
 * <p>A wait ends late by what this machine's scheduler takes to wake a thread. The emulated machine knows no such delay:
 * a row that was already queued when the one before it ended counts from when that one should have ended.
 *
 * <p>Computes one row at a time.
 */
public final class PacedRows implements Mandelbrot {

    private static final String ROW = "row";

    /** A row that begins this soon after the one before was queued; a caller that waits takes longer to send the next. */
    private static final long QUEUED_NANOS = 1_000_000;

    /** How long before its end a wait goes on without sleeping: about what a scheduler takes to wake a thread. */
    private static final long SPIN_NANOS = 250_000;

    private final Rows rows = new Rows();
    private final long rowNanos;
    private long lastDue = System.nanoTime(); // guarded by this
    private long lastEnd = lastDue - QUEUED_NANOS; // guarded by this

    /**
     * Creates the machine that the options of its replica describe.
     *
     * @param options {@code row}: the microseconds that a row takes, such as {@code 12500}
     */
    public PacedRows(Map<String, String> options) {
        String micros = options.get(ROW);
        if (micros == null || options.size() != 1) {
            throw new IllegalArgumentException(
                    "options: " + options.keySet() + " (expected: " + ROW + ", the microseconds that a row takes)");
        }
        rowNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros));
    }

    @Override
    public synchronized int[] row(int row) {
        long now = System.nanoTime();
        long due = (now - lastEnd < QUEUED_NANOS ? lastDue : now) + rowNanos;
        int[] steps = rows.row(row);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            if (Thread.interrupted()) {
                throw new IllegalStateException("row " + row + " was interrupted");
            }
        }
        lastDue = due;
        lastEnd = System.nanoTime();
        return steps;
    }
}
