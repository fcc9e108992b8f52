package dev.cleave.metrics;

import java.util.SortedMap;

/**
 * The values of {@link Meter} and {@link Refusals} for JMX: {@code dev.cleave:type=Memory}, with
 * {@code -Dcleave.jmx=true}.
 */
public interface MemoryMXBean {

    /** The amount of each bound that is in use now, by name; the last word of a name is the unit. */
    SortedMap<String, Long> getUsed();

    /** The bounds, by the same names. */
    SortedMap<String, Long> getLimits();

    /** The number of refused peers and messages since the start of the process, by reason. */
    SortedMap<String, Long> getRefusals();
}
