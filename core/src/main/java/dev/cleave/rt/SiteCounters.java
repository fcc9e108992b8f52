package dev.cleave.rt;

/**
 * The counters of one rewritten call in this process.
 *
 * @param place class and method, as the report shows them
 * @param line the source line, -1 if unknown
 * @param call the remote method, {@code Interface.method}
 * @param sends calls sent ahead or in place
 * @param awaits sent calls that the program awaited
 * @param discards sent calls that were discarded because an exception kept the program from their place
 * @param declined calls that ran as written because they could not be sent
 * @param blockedNanos time spent waiting
 * @param overlappedNanos time between the send and the beginning of the wait
 * @param maxInFlight the most calls of this place in flight at once
 * @param stayed results that stayed at their servers, as the program only passed them on
 * @param stayedBytes bytes of these
 * @param sparedBytes bytes of arguments that were not sent, as their servers had them from earlier calls
 * @param note why the place sends no more calls ahead, empty if it does
 */
public record SiteCounters(
        String place,
        int line,
        String call,
        long sends,
        long awaits,
        long discards,
        long declined,
        long blockedNanos,
        long overlappedNanos,
        int maxInFlight,
        long stayed,
        long stayedBytes,
        long sparedBytes,
        String note) {

    /** One line of tab separated values in the order of the components. */
    public String toLine() {
        return place
                + '\t'
                + line
                + '\t'
                + call
                + '\t'
                + sends
                + '\t'
                + awaits
                + '\t'
                + discards
                + '\t'
                + declined
                + '\t'
                + blockedNanos
                + '\t'
                + overlappedNanos
                + '\t'
                + maxInFlight
                + '\t'
                + stayed
                + '\t'
                + stayedBytes
                + '\t'
                + sparedBytes
                + '\t'
                + note;
    }
}
