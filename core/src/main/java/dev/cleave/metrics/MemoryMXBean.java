package dev.cleave.metrics;

import java.util.SortedMap;

/** What {@link Meter} and {@link Refusals} tell, for JMX: {@code dev.cleave:type=Memory}, with {@code -Dcleave.jmx=true}. */
public interface MemoryMXBean {

    /** What is taken of each bound now, by name; the last word of a name is the unit. */
    SortedMap<String, Long> getUsed();

    /** The bounds, by the same names. */
    SortedMap<String, Long> getLimits();

    /** How often peers, or what they sent, were refused since the start of the process, by reason. */
    SortedMap<String, Long> getRefusals();
}
