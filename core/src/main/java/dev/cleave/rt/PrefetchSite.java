package dev.cleave.rt;

import dev.cleave.call.Epoch;

/**
 * One call in the program's text that is prefetched: how long its results may be used, and whether prefetching pays
 * (R62). If it does not pay it is stopped, and tried again after some activations, in case the data have changed.
 *
 * <p>Many threads count here without a lock: a lost update only delays a decision.
 */
final class PrefetchSite {

    /** The least number of claims for a decision. */
    private static final int FEWEST = 5;

    /** After this many claims older ones count half. */
    private static final int MEMORY = 256;

    /** A run-ahead that costs less than this is never called slow. */
    private static final long CHEAP_NANOS = 20_000;

    /** Once in a while a call must have overlapped other code for this fraction of its time. */
    private static final int OVERLAP_OF = 16;

    /**
     * After a stop this many activations run as written before prefetching is tried again, twice as many after each
     * further stop.
     */
    private static final int PATIENCE = 32;

    private static final int MOST_PATIENCE = 8192;

    /** How long a prefetched result may be used. */
    enum Kind {
        /** Until the program may have changed something, or has run unknown code. */
        READ_ONLY,
        /** Until the program may have changed something, or it is too old. */
        READ_ONLY_FOR,
        /** For ever. */
        PURE
    }

    private final Site site;
    private final Kind kind;
    private final long maxAgeNanos;
    private int claimed;
    private int failed;
    private int given;
    private int timed;
    private long leastStep = Long.MAX_VALUE;
    private long leastLatency = Long.MAX_VALUE;
    private int overlaps;
    private long mostOverlap;
    private volatile boolean stopped;
    private int missed;
    private int patience = PATIENCE;

    PrefetchSite(Site site, Kind kind, long maxAgeNanos) {
        this.site = site;
        this.kind = kind;
        this.maxAgeNanos = maxAgeNanos;
    }

    /** Reads what the agent wrote: place, line, call, kind and greatest age in nanoseconds, separated by tabs. */
    static PrefetchSite parse(String text) {
        String[] cells = text.split("\t", -1);
        if (cells.length != 5) {
            throw new IllegalArgumentException("site: " + text + " (expected: five cells)");
        }
        Site site = Sites.of(cells[0], Integer.parseInt(cells[1]), cells[2]);
        return new PrefetchSite(site, Kind.valueOf(cells[3]), Long.parseLong(cells[4]));
    }

    Site site() {
        return site;
    }

    boolean isStopped() {
        return stopped || site.isOff();
    }

    /** Called when an activation begins: tries again a call that was stopped long ago. */
    void activated() {
        if (stopped && ++missed >= patience) {
            missed = 0;
            patience = Math.min(MOST_PATIENCE, 2 * patience);
            claimed = 0;
            failed = 0;
            given = 0;
            stopped = false;
            site.stopped("");
        }
    }

    /** Whether the result of a sent call may be used for a call that is made now (R60, R61). */
    boolean isFresh(PrefetchedCall call, long firstFresh, long now) {
        return switch (kind) {
            case PURE -> true;
            case READ_ONLY -> isUnchanged(call) && call.number() >= firstFresh;
            case READ_ONLY_FOR -> isUnchanged(call) && now - call.sentAt() <= maxAgeNanos;
        };
    }

    private static boolean isUnchanged(PrefetchedCall call) {
        return call.epoch() == Epoch.watch(call.sent().group());
    }

    /** Counts a claim that found its call. */
    void claimed() {
        claimed++;
        if (patience > PATIENCE && claimed >= MEMORY / 2) {
            patience = PATIENCE; // it pays again
        }
        if (claimed + failed > MEMORY) {
            claimed /= 2;
            failed /= 2;
            given /= 2;
        }
    }

    /** Counts a claim that found another call, or a call that the program passed by. */
    void failed() {
        failed++;
        if (claimed + failed >= FEWEST && failed * 5L > claimed + failed) {
            stop("fewer than four of five claims found what they wanted");
        }
    }

    /** Counts a call that was discarded because its loop or method ended first. */
    void givenUp() {
        given++;
        if (claimed + given >= 4 * FEWEST && given > claimed) {
            stop("most calls were sent for passes that never came");
        }
    }

    /**
     * Takes the time of a pass ahead, and the time from the sending of a call to its end or claim, whichever came last.
     */
    void timed(long stepNanos, long latencyNanos) {
        leastStep = Math.min(leastStep, stepNanos);
        leastLatency = Math.min(leastLatency, latencyNanos);
        timed++;
        if (timed < 4 * FEWEST) {
            return;
        }
        if (leastStep > CHEAP_NANOS && leastStep > leastLatency) {
            stop("calls are faster than running ahead");
        }
        timed = 0;
        leastStep = Long.MAX_VALUE;
        leastLatency = Long.MAX_VALUE;
    }

    /**
     * Takes the time for which the program ran between the send and the claim of a call in a row, and the time of the
     * call.
     */
    void overlapped(long nanos, long latencyNanos) {
        mostOverlap = Math.max(mostOverlap, nanos * OVERLAP_OF / Math.max(1, latencyNanos));
        if (++overlaps < 4 * FEWEST) {
            return;
        }
        if (mostOverlap == 0) {
            stop("next to nothing runs between the place where it is sent and the call");
        }
        overlaps = 0;
        mostOverlap = 0;
    }

    private void stop(String why) {
        if (!stopped) {
            stopped = true;
            site.stopped(why);
        }
    }
}
