package dev.cleave.rt;

/**
 * How many calls one activation of a loop may have in flight.
 *
 * <p>It grows whenever the program had to wait for a call: at least to twice what it was, or at once to what the wait
 * shows to be missing, as many calls as the program would have made while it stood still. When a server has no room for a
 * call it halves, once for all calls that were sent before; from then on it grows by one for each windowful of waits, as
 * congestion windows do (Chiu and Jain: Analysis of the Increase and Decrease Algorithms, 1989). Each time it halves it waits
 * twice as long before it grows, up to {@value #MOST_PATIENCE} windowfuls, and each time it grows half as long: a server that
 * stays full is seldom asked for more.
 *
 * <p>A window whose bound nobody has set is <em>automatic</em>. Above {@value #NARROW} calls it grows only while that pays: it
 * measures how many calls the program takes in a second during one windowful, grows to four times its size, measures again,
 * and goes back unless the rate rose by half. A link with a long round trip passes that test; a server that is busy with
 * {@value #NARROW} calls does not, and finds no longer queue before the calls of others. After a trial that failed it
 * rests for {@value #FIRST_REST} windowfuls, after the next one for twice as many. Confined to one thread.
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
     * What one activation has learned, for the next.
     *
     * @param size the calls in flight
     * @param patience the windowfuls of waits before it grows by one; 0 while no server was full
     * @param waits how many waits there were since it grew, if it is patient
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

    private final int bound;
    private final boolean isAutomatic;
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

    /** Creates a window that begins at a size, cut to the bound, of which {@link #AUTOMATIC} is none. */
    Window(int first, int bound) {
        this(Learned.first(first), bound);
    }

    /** Creates a window that goes on where one before it was. */
    Window(Learned learned, int bound) {
        isAutomatic = bound == AUTOMATIC;
        this.bound = isAutomatic ? WIDEST : bound;
        size = Math.min(learned.size(), this.bound);
        patience = learned.patience();
        waits = learned.waits();
        before = learned.before();
        rateBefore = learned.rateBefore();
        resting = learned.resting();
        rest = learned.rest();
    }

    Learned learned() {
        return new Learned(size, patience, waits, before, rateBefore, resting, rest);
    }

    int size() {
        return size;
    }

    /** How many windowfuls of waits it grows by one after; 0 if no server was full. */
    int patience() {
        return patience;
    }

    /** The program took a call, or gave it up. */
    void taken() {
        taken++;
    }

    /**
     * The program was faster than the calls.
     *
     * @param blockedNanos how long it waited
     * @param stepNanos how long one of its iterations takes without waiting
     * @param now when the wait ended, in nanoseconds of any clock
     * @return whether a trial of a wider window has failed
     */
    boolean waited(long blockedNanos, long stepNanos, long now) {
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

    private void beginRound(long now) {
        measures = true;
        roundFrom = taken;
        roundSince = now;
    }

    /**
     * A server had no room for a call.
     *
     * @param sentAt when the call was sent
     * @param now when that was found out, in nanoseconds of the same clock
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
