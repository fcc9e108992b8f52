package dev.cleave.agent.scan;

import java.time.Duration;

/** Reads the ages of annotations, as the core does: {@code 500us}, {@code 5ms}, {@code 1s}, {@code 2m}, {@code 1h}. */
final class Ages {

    private Ages() {}

    /** Reads an age; zero, the strictest, for any other text. */
    static Duration read(String text) {
        String trimmed = text.trim();
        int digits = 0;
        while (digits < trimmed.length() && digits < 12 && Character.isDigit(trimmed.charAt(digits))) {
            digits++;
        }
        if (digits == 0) {
            return Duration.ZERO;
        }
        long amount = Long.parseLong(trimmed.substring(0, digits));
        return switch (trimmed.substring(digits).trim()) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1_000L));
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ZERO;
        };
    }
}
