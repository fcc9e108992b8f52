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
import java.util.function.ToLongFunction;

/**
 * Meters the use of one bound of the process, for all nodes and brokers together. Each name has one meter. With
 * {@code -Dcleave.jmx=true} all meters and the {@link Refusals} are the MBean {@code dev.cleave:type=Memory}. Thread-safe.
 */
public final class Meter {

    private static final ConcurrentMap<String, Meter> ALL = new ConcurrentSkipListMap<>();

    static {
        if (Boolean.getBoolean("cleave.jmx")) {
            showAll();
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
     * Returns the meter of a name, and creates it if there is none.
     *
     * @param name what is measured, with the unit as the last word: {@code unread.bytes}
     * @param limit the bound under the options of the process
     */
    public static Meter of(String name, LongSupplier limit) {
        return ALL.computeIfAbsent(requireNonNull(name, "name"), n -> new Meter(n, requireNonNull(limit, "limit")));
    }

    /** Adds an amount that was taken, or subtracts, if negative, an amount that was given back. */
    public void add(long amount) {
        counted.add(amount);
    }

    /** Counts a refusal of a peer or a message because the bound was reached. */
    public void refused() {
        Refusals.count(name);
    }

    /** Includes the amount of a part in each {@link #used}, until {@link #forget} is called with the same part. */
    public void watch(LongSupplier part) {
        parts.add(requireNonNull(part, "part"));
    }

    /** No longer includes a part. */
    public void forget(LongSupplier part) {
        parts.remove(part);
    }

    /** The amount in use now. */
    public long used() {
        long sum = counted.sum();
        for (LongSupplier part : parts) {
            sum += part.getAsLong();
        }
        return sum;
    }

    /** The bound. */
    public long limit() {
        return limit.getAsLong();
    }

    /** All meters, by name. */
    public static SortedMap<String, Meter> all() {
        return new TreeMap<>(ALL);
    }

    /** Registers the MBean. */
    static void showAll() {
        MemoryBean.register(() -> values(Meter::used), () -> values(Meter::limit));
    }

    private static SortedMap<String, Long> values(ToLongFunction<Meter> value) {
        SortedMap<String, Long> values = new TreeMap<>();
        all().forEach((name, meter) -> values.put(name, value.applyAsLong(meter)));
        return values;
    }
}
