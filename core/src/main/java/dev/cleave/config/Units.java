package dev.cleave.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads amounts with units. Throws an {@link IllegalArgumentException} for other text, with a message that quotes the
 * text and gives an example.
 */
final class Units {

    /** The longest duration that a file may name. */
    static final Duration LONGEST = Duration.ofDays(1);

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]+(?:/s)?)");
    private static final Map<String, Long> NANOS = new HashMap<>();
    private static final Map<String, Long> RATES = new HashMap<>();
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20);

    static {
        NANOS.put("us", 1_000L);
        NANOS.put("ms", 1_000_000L);
        NANOS.put("s", 1_000_000_000L);
        NANOS.put("m", 60_000_000_000L);
        NANOS.put("h", 3_600_000_000_000L);
        RATES.put("B/s", 1L);
        RATES.put("KiB/s", 1L << 10);
        RATES.put("MiB/s", 1L << 20);
        RATES.put("GiB/s", 1L << 30);
    }

    private Units() {}

    static Duration duration(String text) {
        String expected = " (expected: a duration up to 24h, such as 500us, 5ms or 30s)";
        long nanos = amount(text, NANOS, expected);
        if (nanos > LONGEST.toNanos()) {
            throw new IllegalArgumentException(text + expected);
        }
        return Duration.ofNanos(nanos);
    }

    static Duration deadline(String text) {
        Duration duration = duration(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException(text + " (expected: more than nothing; every wait ends, none at once)");
        }
        return duration;
    }

    static long bytesPerSecond(String text) {
        String expected = " (expected: bytes per second, such as 64KiB/s or 10MiB/s)";
        long rate = amount(text, RATES, expected);
        if (rate == 0) {
            throw new IllegalArgumentException(text + expected);
        }
        return rate;
    }

    static int aggregateBytes(String text) {
        String expected = " (expected: 1B to 1MiB, such as 64KiB)";
        long bytes = amount(text, BYTES, expected);
        if (bytes < 1 || bytes > Aggregate.MOST_BYTES) {
            throw new IllegalArgumentException(text + expected);
        }
        return (int) bytes;
    }

    static Duration aggregateDelay(String text) {
        String expected = " (expected: 0us to 100ms, such as 50us)";
        long nanos = amount(text, NANOS, expected);
        if (nanos > Aggregate.LONGEST.toNanos()) {
            throw new IllegalArgumentException(text + expected);
        }
        return Duration.ofNanos(nanos);
    }

    private static long amount(String text, Map<String, Long> units, String expected) {
        Matcher amount = AMOUNT.matcher(text);
        Long unit = amount.matches() ? units.get(amount.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException(text + expected);
        }
        try {
            return Math.multiplyExact(Long.parseLong(amount.group(1)), unit);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text + expected, e);
        }
    }
}
