package dev.cleave.metrics;

import java.lang.management.ManagementFactory;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The MBean. Loaded only if it is switched on, so that other programs do not need the module {@code java.management}.
 */
final class MemoryBean implements MemoryMXBean {

    private MemoryBean() {}

    static void register() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new MemoryBean(), new ObjectName("dev.cleave:type=Memory"));
        } catch (JMException e) {
            System.err.println("cleave.jmx: dev.cleave:type=Memory cannot be registered: " + e);
        }
    }

    @Override
    public SortedMap<String, Long> getUsed() {
        return values(Meter::used);
    }

    @Override
    public SortedMap<String, Long> getLimits() {
        return values(Meter::limit);
    }

    @Override
    public SortedMap<String, Long> getRefusals() {
        return Refusals.counts();
    }

    private static SortedMap<String, Long> values(ToLongFunction<Meter> value) {
        SortedMap<String, Long> values = new TreeMap<>();
        Meter.all().forEach((name, meter) -> values.put(name, value.applyAsLong(meter)));
        return values;
    }
}
