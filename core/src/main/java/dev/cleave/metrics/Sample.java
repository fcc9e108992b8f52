package dev.cleave.metrics;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/**
 * One value of a running node or broker, as monitoring systems take it.
 *
 * @param name words joined by dots, the last one the unit: {@code cleave.server.queued.calls}
 * @param help one sentence about it
 * @param kind whether it only grows
 * @param tags what it belongs to, by name; most have none
 * @param value now
 */
public record Sample(String name, String help, Kind kind, Map<String, String> tags, double value) {

    /** What a value may do. */
    public enum Kind {
        /** It rises and falls. */
        GAUGE,
        /** It counts since the start of the process. */
        COUNTER
    }

    /** Checks and copies its components. */
    public Sample {
        requireNonNull(name, "name");
        requireNonNull(help, "help");
        requireNonNull(kind, "kind");
        tags = Map.copyOf(tags);
    }

    /** A value that rises and falls. */
    public static Sample gauge(String name, String help, double value) {
        return new Sample(name, help, Kind.GAUGE, Map.of(), value);
    }

    /** A value that counts. */
    public static Sample counter(String name, String help, double value) {
        return new Sample(name, help, Kind.COUNTER, Map.of(), value);
    }

    /** Returns this value with one more tag. */
    public Sample with(String tag, String of) {
        Map<String, String> more = new HashMap<>(tags);
        more.put(tag, of);
        return new Sample(name, help, kind, more, value);
    }
}
