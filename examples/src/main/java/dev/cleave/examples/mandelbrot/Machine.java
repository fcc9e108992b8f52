package dev.cleave.examples.mandelbrot;

import java.util.List;
import java.util.Locale;

/** The machines of the paper's Table 1 (a), with its figures for the whole picture in seconds. */
public enum Machine {
    /** A SparcStation IPC. */
    HARVEY(216, 125),
    /** A SparcStation IPX. */
    RIMFIRE(103, 59),
    /** A SparcStation 2. */
    THUMPER(86, 52),
    /** A SparcStation 10. */
    HIGHPOWER(57, 30);

    /** How many of the paper's seconds pass in one of ours. */
    public static final int SCALE = 8;

    /** The paper's figure for four machines that are given equal parts. */
    public static final double FOUR_STATIC = 34;

    /** The paper's figure for four machines in a chain, each of which gives work to the next. */
    public static final double FOUR_CHAIN = 26;

    /** The paper's figure for four machines in a circle. */
    public static final double FOUR_CIRCLE = 17;

    private final double sync;
    private final double async;

    Machine(double sync, double async) {
        this.sync = sync;
        this.async = async;
    }

    /** The machine's name in lower case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The paper's seconds for the picture by synchronous calls. */
    public double sync() {
        return sync;
    }

    /** The paper's seconds for the picture by asynchronous calls. */
    public double async() {
        return async;
    }

    /** Our seconds to compute a row. */
    public double compute() {
        return async / Rows.SIZE / SCALE;
    }

    /** Our seconds in which a row is transferred. */
    public double transfer() {
        return (sync - async) / Rows.SIZE / SCALE;
    }

    /** Our seconds for the picture if nothing overlaps. */
    public double idealSync() {
        return Rows.SIZE * (compute() + transfer());
    }

    /** Our seconds for the picture if all that can overlap does. */
    public double idealAsync() {
        return Rows.SIZE * perRow();
    }

    /** Our seconds for the picture if all machines work on it, each on the number of whole rows that is best. */
    public static double idealFour() {
        return Schedule.best(
                Rows.SIZE, List.of(values()).stream().map(Machine::perRow).toList());
    }

    private double perRow() {
        return Math.max(compute(), transfer());
    }
}
