package dev.cleave.rt;

/**
 * Bounds the number of calls that one activation of a loop may have in flight.
 *
 * <p>It grows whenever the program had to wait for a call: at least to twice its size, or at once by the number of
 * calls that the program could have made while it was blocked. When a server has no room for a call it halves, once for
 * all calls that were sent before; from then on it grows by one for each windowful of waits, as congestion windows do
 * (Chiu and Jain: Analysis of the Increase and Decrease Algorithms, 1989). Each time it halves it waits twice as long
 * before it grows, up to {@value #MOST_PATIENCE} windowfuls, and each time it grows half as long: a server that stays
 * full seldom gets more calls.
 *
 * <p>A window without a bound is <em>automatic</em>. Above {@value #NARROW} calls it grows only while that pays: it
 * measures how many calls the program takes in a second during one windowful, grows to four times its size, measures
 * again, and goes back unless the rate rose by half. A link with a long round trip passes that test. A server that is
 * busy with {@value #NARROW} calls does not, so its queue does not delay the calls of others. After a trial that failed
 * it rests for {@value #FIRST_REST} windowfuls, after the next one for twice as many. Activations that end before a windowful is measured
 * are measured as a whole: one that needs less than four windowfuls gains less from a wider window, so less is asked of it. Confined to one
 * thread.
 */
final class Window {

    /** The bound that stands for none: the window is automatic. */
    static final int AUTOMATIC = Integer.MAX_VALUE;

    /** The calls up to which a window grows whenever the program waits. */
    static final int NARROW = 64;

    /** The most calls of an automatic window: what a server's queue takes unless its capacity is set. */
    static final int WIDEST = 1_024;

    /** The most windowfuls of waits before it grows. */
    static final int MOST_PATIENCE = 32;

    private static final int STEP = 4;
    private static final double GAIN = 1.5;
    private static final int FIRST_REST = 8;
    private static final int MOST_REST = 1_024;

    /**
     * The state of an activation's window, for the next activation.
     *
     * @param size the calls in flight
     * @param patience the windowfuls of waits before it grows by one; 0 while no server was full
     * @param waits the number of waits since it grew, if it is patient
     * @param before the size before the trial that is running; 0 if none is
     * @param rateBefore the calls a nanosecond that the program took with that size
     * @param resting the windowfuls before the next trial
     * @param rest how many it rests for when a trial fails
     */
    record Learned(int size, int patience, int waits, int before, double rateBefore, int resting, int rest) {

        /** Nothing yet but a size. */
        static Learned first(int size) {
            if (size < 1) {
                throw new IllegalArgumentException("first: " + size + " (expected: 1 or more)");
            }
            return new Learned(size, 0, 0, 0, 0, 0, FIRST_REST);
        }
    }

    private int bound;
    private boolean isAutomatic;
    private int size;
    private int patience;
    private boolean halved;
    private int waits;
    private long halvedAt;

    private long taken; // calls, by the program
    private long roundAfter; // the calls taken before which no round begins
    private boolean measures;
    private long roundFrom; // the calls taken when it began
    private long roundSince;
    private int before;
    private double rateBefore;
    private int resting;
    private int rest;
    private final int first;
    private boolean hasWaited;
    private boolean hasMeasured; // a windowful

    /** Creates a window that begins at a size, cut to the bound, of which {@link #AUTOMATIC} is none. */
    Window(int first, int bound) {
        this(Learned.first(first), bound);
    }

    /** Creates a window that continues an earlier one. */
    Window(Learned learned, int bound) {
        isAutomatic = bound == AUTOMATIC;
        this.bound = isAutomatic ? WIDEST : bound;
        size = Math.min(learned.size(), this.bound);
        first = size;
        patience = learned.patience();
        waits = learned.waits();
        before = learned.before();
        rateBefore = learned.rateBefore();
        resting = learned.resting();
        rest = learned.rest();
    }

    /** Has another bound from now on. */
    void bindTo(int other) {
        isAutomatic = other == AUTOMATIC;
        bound = isAutomatic ? WIDEST : other;
        size = Math.min(size, bound);
        before = Math.min(before, bound);
    }

    Learned learned() {
        return new Learned(size, patience, waits, before, rateBefore, resting, rest);
    }

    int size() {
        return size;
    }

    /** The number of windowfuls of waits after which it grows by one; 0 if no server was full. */
    int patience() {
        return patience;
    }

    /** Counts a call that the program took or discarded. */
    void taken() {
        taken++;
    }

    /**
     * Grows the window, because the program had to wait.
     *
     * @param blockedNanos how long it waited
     * @param stepNanos how long one of its iterations takes without waiting
     * @param now when the wait ended, in nanoseconds of any clock
     * @return whether a trial of a wider window has failed
     */
    boolean waited(long blockedNanos, long stepNanos, long now) {
        hasWaited = true;
        if (patience > 0) {
            if (++waits >= size * patience) {
                waits = 0;
                patience = Math.max(1, patience / 2);
                size = Math.min(bound, size + 1);
            }
            return false;
        }
        if (isAutomatic && size >= NARROW) {
            return size < bound || before > 0 ? measured(now) : false;
        }
        int most = isAutomatic ? NARROW : bound;
        long missing = blockedNanos / Math.max(1, stepNanos);
        int grown = (int) Math.min(most, Math.max(2L * size, size + Math.min(most, missing)));
        roundAfter = taken + size;
        size = grown;
        return false;
    }

    private boolean measured(long now) {
        if (!measures) {
            if (taken >= roundAfter) {
                beginRound(now);
            }
            return false;
        }
        long calls = taken - roundFrom;
        if (calls < size) {
            return false;
        }
        hasMeasured = true;
        double rate = (double) calls / Math.max(1, now - roundSince);
        if (before > 0 && rate < GAIN * rateBefore) {
            size = before;
            before = 0;
            resting = rest;
            rest = Math.min(MOST_REST, 2 * rest);
            measures = false;
            roundAfter = taken + size;
            return true;
        }
        before = 0;
        if (resting > 0) {
            resting--;
            beginRound(now);
        } else if (size < bound) {
            before = size;
            rateBefore = rate;
            roundAfter = taken + size;
            measures = false;
            size = Math.min(bound, STEP * size);
        }
        return false;
    }

    /**
     * Measures an activation that has ended as a whole, if it was too short for a windowful to be measured: the next one tries a wider
     * window.
     *
     * @param nanos how long it took
     * @return whether the next activation begins with another window than before
     */
    boolean ended(long nanos) {
        boolean isShort = isAutomatic && patience == 0 && (hasWaited || before > 0) && !hasMeasured && size == first;
        int narrow = before > 0 ? before : size;
        if (!isShort || narrow < NARROW || taken <= narrow) {
            return false;
        }
        double rate = (double) taken / Math.max(1, nanos);
        if (before > 0) {
            double wider = (double) Math.min(size, taken) / before;
            if (rate < Math.pow(GAIN, Math.log(wider) / Math.log(STEP)) * rateBefore) {
                size = before;
                resting = rest;
                rest = Math.min(MOST_REST, 2 * rest);
            }
            before = 0;
        } else if (resting > 0) {
            resting--;
        } else if (size < bound) {
            before = size;
            rateBefore = rate;
            size = Math.min(bound, STEP * size);
        } else {
            return false;
        }
        return true;
    }

    private void beginRound(long now) {
        measures = true;
        roundFrom = taken;
        roundSince = now;
    }

    /**
     * Shrinks the window, because a server had no room for a call.
     *
     * @param sentAt when the call was sent
     * @param now the present time, in nanoseconds of the same clock
     */
    void refused(long sentAt, long now) {
        if (halved && sentAt - halvedAt < 0) {
            return;
        }
        patience = Math.min(MOST_PATIENCE, Math.max(1, 2 * patience));
        halved = true;
        waits = 0;
        halvedAt = now;
        size = Math.max(1, size / 2);
        before = 0;
        measures = false;
    }
}
