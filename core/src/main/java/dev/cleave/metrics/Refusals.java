package dev.cleave.metrics;

import static java.util.Objects.requireNonNull;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts refused peers and messages since the start of the process, by reason. Thread-safe. */
public final class Refusals {

    private static final ConcurrentMap<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    private Refusals() {}

    /**
     * Counts one refusal.
     *
     * @param reason one of a fixed set of words; no part of it may come from a peer
     */
    public static void count(String reason) {
        COUNTS.computeIfAbsent(requireNonNull(reason, "reason"), r -> new LongAdder())
                .increment();
    }

    /** The count of a reason. */
    public static long of(String reason) {
        LongAdder count = COUNTS.get(reason);
        return count == null ? 0 : count.sum();
    }

    /** All counts, by reason. */
    public static SortedMap<String, Long> counts() {
        SortedMap<String, Long> counts = new TreeMap<>();
        COUNTS.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }
}
