package dev.cleave.micrometer;

import static java.util.Objects.requireNonNull;

import dev.cleave.metrics.MetricValue;
import dev.cleave.node.Node;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Binds the values of a node, those of {@code /metrics}, to registries of Micrometer.
 *
 * <pre>
 *   new CleaveMetrics(node).bindTo(registry);
 * </pre>
 *
 * <p>All meters of a registry read values that were taken at most {@value #FRESH_MILLIS} ms ago, so that one look of a
 * monitoring system reads the node once. Values that come into being later, such as a first refusal, get their meters when the
 * binder is bound again ({@link #bindTo} adds what is missing). Thread-safe.
 */
public final class CleaveMetrics implements MeterBinder, AutoCloseable {

    static final long FRESH_MILLIS = 500;

    private final Supplier<List<MetricValue>> source;
    private final Tags tags;
    private final Map<MeterRegistry, List<Meter>> bound = new ConcurrentHashMap<>();
    private Map<List<Object>, Double> known = Map.of(); // guarded by this
    private long takenAt; // guarded by this

    /** Binds the values of a node, each with the tag {@code node}. */
    public CleaveMetrics(Node node) {
        this(node::metrics, Tags.of("node", node.name()));
    }

    /**
     * Binds values.
     *
     * @param source gives them now
     * @param tags added to each
     */
    public CleaveMetrics(Supplier<List<MetricValue>> source, Tags tags) {
        this.source = requireNonNull(source, "source");
        this.tags = requireNonNull(tags, "tags");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        List<Meter> meters = new ArrayList<>();
        for (MetricValue sample : source.get()) {
            List<Object> key = key(sample);
            List<Tag> all = new ArrayList<>();
            sample.tags().forEach((name, of) -> all.add(Tag.of(name, of)));
            Tags each = tags.and(all);
            meters.add(
                    switch (sample.kind()) {
                        case GAUGE ->
                            Gauge.builder(sample.name(), () -> value(key))
                                    .tags(each)
                                    .description(sample.help())
                                    .strongReference(true)
                                    .register(registry);
                        case COUNTER ->
                            FunctionCounter.builder(sample.name(), this, binder -> binder.value(key))
                                    .tags(each)
                                    .description(sample.help())
                                    .register(registry);
                    });
        }
        bound.put(registry, meters);
    }

    /** Removes its meters from all registries. */
    @Override
    public void close() {
        bound.forEach((registry, meters) -> meters.forEach(registry::remove));
        bound.clear();
    }

    private static List<Object> key(MetricValue sample) {
        return List.of(sample.name(), sample.tags());
    }

    private synchronized double value(List<Object> key) {
        long now = System.nanoTime();
        if (known.isEmpty() || now - takenAt > TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS)) {
            Map<List<Object>, Double> taken = new ConcurrentHashMap<>();
            source.get().forEach(sample -> taken.put(key(sample), sample.value()));
            known = taken;
            takenAt = now;
        }
        return known.getOrDefault(key, 0.0);
    }
}
