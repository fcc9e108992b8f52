package dev.cleave.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What the process has taken of one of its bounds, in all nodes and brokers together. There is one of a name. With
 * {@code -Dcleave.jmx=true} all meters and the {@link Refusals} are the MBean {@code dev.cleave:type=Memory}. Thread-safe.
 */
public final class Meter {

    private static final ConcurrentMap<String, Meter> ALL = new ConcurrentSkipListMap<>();

    static {
        if (Boolean.getBoolean("cleave.jmx")) {
            MemoryBean.register();
        }
    }

    private final String name;
    private final LongSupplier limit;
    private final LongAdder counted = new LongAdder();
    private final Set<LongSupplier> parts = ConcurrentHashMap.newKeySet();

    private Meter(String name, LongSupplier limit) {
        this.name = name;
        this.limit = limit;
    }

    /**
     * The meter of a name, which is made if there is none.
     *
     * @param name what is measured, its unit last: {@code unread.bytes}
     * @param limit the bound, by the options that hold for the process
     */
    public static Meter of(String name, LongSupplier limit) {
        return ALL.computeIfAbsent(requireNonNull(name, "name"), n -> new Meter(n, requireNonNull(limit, "limit")));
    }

    /** Counts what was taken, or, negative, given back. */
    public void add(long amount) {
        counted.add(amount);
    }

    /** Something was refused, or somebody, because the bound was reached. */
    public void refused() {
        Refusals.count(name);
    }

    /** Adds what a part has taken whenever somebody looks, until {@link #forget} is called with the same part. */
    public void watch(LongSupplier part) {
        parts.add(requireNonNull(part, "part"));
    }

    /** Looks at a part no more. */
    public void forget(LongSupplier part) {
        parts.remove(part);
    }

    /** What is taken now. */
    public long used() {
        return counted.sum() + parts.stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    /** The bound. */
    public long limit() {
        return limit.getAsLong();
    }

    /** All meters, by name. */
    public static SortedMap<String, Meter> all() {
        return new TreeMap<>(ALL);
    }
}
