package dev.cleave.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When an unanswered call is sent to a second replica.
 *
 * @param time after this time; null if the time is measured
 * @param perMille when it has taken longer than this many of a thousand calls, from 500 to 999; 0 if {@code time} is
 * given
 */
public record HedgeAfter(@Nullable Duration time, int perMille) {

    private static final Pattern QUANTILE = Pattern.compile("p([5-9]\\d)(?:\\.(\\d))?");

    /** Checks its components. */
    public HedgeAfter {
        if ((time == null) != (perMille >= 500 && perMille <= 999)) {
            throw new IllegalArgumentException("hedge: " + time + ", " + perMille + " (expected: one of them)");
        }
    }

    /**
     * Reads the text of a file or an annotation: a time such as {@code 50ms}, or a percentage of the calls such as
     * {@code p95}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static HedgeAfter parse(String text) {
        Matcher quantile = QUANTILE.matcher(text);
        if (quantile.matches()) {
            String tenth = quantile.group(2);
            return new HedgeAfter(
                    null, Integer.parseInt(quantile.group(1)) * 10 + (tenth == null ? 0 : Integer.parseInt(tenth)));
        }
        try {
            return new HedgeAfter(Units.deadline(text), 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    text
                            + " (expected: a duration such as 5ms or 1s, or a part of the calls from p50 to p99.9, such as p95)",
                    e);
        }
    }

    /** Whether it depends on how long calls take. */
    public boolean isMeasured() {
        return perMille > 0;
    }
}
