package dev.cleave.agent.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The overhead of calls in a run: of the time from the program's first call to the end of its last wait, the part in which a thread
 * was blocked for a call. It is the most that calls can have cost: servers were computing in a part of it that this process does not
 * know.
 *
 * @param spanNanos from the first call to the end of the last wait
 * @param blockedNanos of these, how long at least one thread was blocked
 */
public record Overhead(long spanNanos, long blockedNanos) {

    /** Reads the text of the core, or returns null if no thread has waited, or the text is of a core of another version. */
    public static @Nullable Overhead parse(String text) {
        String[] cells = text.split("\t", -1);
        if (cells.length != 2 || !cells[0].matches("\\d{1,18}") || !cells[1].matches("\\d{1,18}")) {
            return null;
        }
        Overhead overhead = new Overhead(Long.parseLong(cells[0]), Long.parseLong(cells[1]));
        return overhead.spanNanos == 0 ? null : overhead;
    }

    /** The overhead in percent. */
    double percent() {
        return 100.0 * blockedNanos / spanNanos;
    }

    /** Says it in one line. */
    String sentence() {
        return String.format(
                Locale.ROOT,
                "overhead: at most %.1f %%: blocked for calls for %s of %s, from the first call to the end of the last wait",
                percent(),
                Wording.millis(blockedNanos),
                Wording.millis(spanNanos));
    }
}
