package dev.cleave.rt;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether one place of the program's text is faster with its calls sent ahead than as written: compares activations of both kinds while
 * the program runs.
 *
 * <p>The first {@value #WARM_UP} activations send ahead. Of the next {@value #COMPARED} each {@value #EVERY}th runs as written, unless that
 * would take long and the gain is evident: an activation takes less than half of the time that its calls take one after the other. If the
 * median time for a call is not shorter with calls sent ahead, the place runs as written. The comparison is repeated after {@value #REST}
 * activations, and then each time after twice as many, as data and servers change. Where calls take less than {@value #LOCAL_NANOS} ns,
 * nothing is compared: such calls leave no process. With {@code -Dcleave.comparison=off} all activations send ahead.
 *
 * <p>Knows time only from its callers. Safe for use by any thread.
 */
final class SelfComparison {

    static final int WARM_UP = 16;
    static final int COMPARED = 20;
    static final int EVERY = 4;
    static final int REST = 1_024;
    static final int MOST_REST = 1 << 20;
    static final long LOCAL_NANOS = 10_000;

    /** An activation that is expected to take longer than this as written runs so only if the gain is in doubt. */
    static final long LONG_NANOS = 20_000_000;

    private static final boolean IS_OFF = "off".equals(System.getProperty("cleave.comparison"));

    /** How an activation runs. */
    enum Way {
        /** Its calls are sent ahead. */
        AHEAD,
        /** The activation runs as written, and its time is taken. */
        TIMED,
        /** The activation runs as written: the place was faster so. */
        WRITTEN
    }

    private final long[] ahead = new long[COMPARED]; // nanoseconds for a call; guarded by this, as all below
    private final long[] written = new long[COMPARED];
    private int aheadCount;
    private int writtenCount;
    private int begun;
    private long leastLatency = Long.MAX_VALUE;
    private long mostCalls;
    private boolean isEvident;
    private long resting;
    private long rest = REST;
    private boolean isSlower;
    private final Set<Site> sites = new HashSet<>();

    /** Notes a call that the place sends ahead: its counters tell of the decision. */
    synchronized void sends(Site site) {
        sites.add(site);
    }

    /** Returns how the activation that begins now runs. */
    synchronized Way next() {
        if (IS_OFF) {
            return Way.AHEAD;
        }
        if (resting > 0) {
            if (--resting == 0) {
                restart();
            }
            return isSlower ? Way.WRITTEN : Way.AHEAD;
        }
        begun++;
        boolean isTrial = begun > WARM_UP && begun % EVERY == 1 && isWorthwhile();
        return isTrial ? Way.TIMED : Way.AHEAD;
    }

    /** Whether the time of activations, and of their calls, is still taken. */
    synchronized boolean measures() {
        return resting == 0 && !IS_OFF;
    }

    /**
     * Takes the time of an activation that has ended.
     *
     * @param calls the calls that the program came to
     * @param nanos the time of the activation
     * @param latencyNanos the shortest time between the sending of one of its calls and the end of the wait for it; ignored where
     *     the activation ran as written
     * @return whether it is now known which way is the faster one
     */
    synchronized boolean ended(Way way, long calls, long nanos, long latencyNanos) {
        if (resting > 0 || way == Way.WRITTEN) {
            return false;
        }
        if (calls == 0) {
            begun--;
            return false;
        }
        long each = nanos / calls;
        if (way == Way.TIMED) {
            written[writtenCount++ % COMPARED] = each;
        } else {
            leastLatency = Math.min(leastLatency, latencyNanos);
            mostCalls = Math.max(mostCalls, calls);
            isEvident = each < leastLatency / 2;
            if (begun > WARM_UP) {
                ahead[aheadCount++ % COMPARED] = each;
            }
        }
        if (begun < WARM_UP + COMPARED) {
            return false;
        }
        decide();
        return true;
    }

    private boolean isWorthwhile() {
        boolean isLocal = leastLatency < LOCAL_NANOS;
        boolean isLong = leastLatency == Long.MAX_VALUE || leastLatency > LONG_NANOS / mostCalls;
        return !isLocal && !(isLong && isEvident);
    }

    private void decide() {
        long inMedian = median(ahead, aheadCount);
        long asWritten = median(written, writtenCount);
        isSlower = writtenCount > 0 && aheadCount > 0 && inMedian >= asWritten;
        String note = isSlower
                ? "as written it is faster: " + micros(asWritten) + " instead of " + micros(inMedian) + " us a call"
                : "";
        sites.forEach(site -> site.stopped(note));
        resting = rest;
        rest = Math.min(MOST_REST, 2 * rest);
    }

    private static String micros(long nanos) {
        return Long.toString((nanos + 500) / 1_000);
    }

    private static long median(long[] values, int count) {
        long[] sorted = Arrays.copyOf(values, Math.min(count, values.length));
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    private void restart() {
        begun = 0;
        aheadCount = 0;
        writtenCount = 0;
        leastLatency = Long.MAX_VALUE;
        mostCalls = 0;
        isEvident = false;
    }
}
