package dev.cleave.metrics;

import java.lang.management.ManagementFactory;
import java.util.SortedMap;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The MBean. Loaded only if it is switched on, so that other programs do not need the module {@code java.management}.
 */
final class MemoryBean implements MemoryMXBean {

    private final Supplier<SortedMap<String, Long>> used;
    private final Supplier<SortedMap<String, Long>> limits;

    private MemoryBean(Supplier<SortedMap<String, Long>> used, Supplier<SortedMap<String, Long>> limits) {
        this.used = used;
        this.limits = limits;
    }

    static void register(Supplier<SortedMap<String, Long>> used, Supplier<SortedMap<String, Long>> limits) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new MemoryBean(used, limits), new ObjectName("dev.cleave:type=Memory"));
        } catch (JMException e) {
            System.err.println("cleave.jmx: dev.cleave:type=Memory cannot be registered: " + e);
        }
    }

    @Override
    public SortedMap<String, Long> getUsed() {
        return used.get();
    }

    @Override
    public SortedMap<String, Long> getLimits() {
        return limits.get();
    }

    @Override
    public SortedMap<String, Long> getRefusals() {
        return Refusals.counts();
    }
}
