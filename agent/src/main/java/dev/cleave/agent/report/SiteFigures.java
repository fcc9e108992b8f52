package dev.cleave.agent.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one rewritten call in a run.
 *
 * @param place class and method
 * @param line the source line, -1 if unknown
 * @param call the remote method, {@code Interface.method}
 * @param sends calls sent ahead or in place
 * @param awaits sent calls that the program awaited
 * @param discards sent calls that were discarded
 * @param declined calls that ran as written
 * @param blockedNanos time spent waiting
 * @param overlappedNanos time between the send and the beginning of the wait
 * @param maxInFlight the most calls in flight at once
 * @param stayed results that stayed at their servers, as the program only passed them on
 * @param stayedBytes bytes of these
 * @param sparedBytes bytes of arguments that were not sent, as their servers had them from earlier calls
 * @param note why the call is no longer sent ahead, empty if it is
 */
public record SiteFigures(
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

    private static final int COMPONENTS = 14;

    /**
     * Returns a time in words; {@code -} if no call was awaited: a result that is used while it arrives is not awaited
     * as a whole.
     */
    String timed(long nanos) {
        return nanos == 0 && awaits == 0 ? "-" : Wording.millis(nanos);
    }

    /** Reads the text of the core's counters.
     *
     * @param text a line for each call that was reached, the values of the components separated by tabs; lines of another
     *     shape, from a core of another version, are left out
     */
    public static List<SiteFigures> parse(String text) {
        List<SiteFigures> figures = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] cells = line.split("\t", -1);
            if (cells.length == COMPONENTS) {
                figures.add(new SiteFigures(
                        cells[0],
                        Integer.parseInt(cells[1]),
                        cells[2],
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4]),
                        Long.parseLong(cells[5]),
                        Long.parseLong(cells[6]),
                        Long.parseLong(cells[7]),
                        Long.parseLong(cells[8]),
                        Integer.parseInt(cells[9]),
                        Long.parseLong(cells[10]),
                        Long.parseLong(cells[11]),
                        Long.parseLong(cells[12]),
                        cells[13]));
            }
        }
        return figures;
    }
}
