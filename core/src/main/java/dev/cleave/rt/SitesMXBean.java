package dev.cleave.rt;

import java.util.List;

/** The values and switches of {@link Sites} for JMX: {@code dev.cleave:type=Sites}, with {@code -Dcleave.jmx=true}. */
public interface SitesMXBean {

    /** A line for each call that was reached: place, line, remote method, then its counters, separated by tabs. */
    List<String> getCounters();

    /** The names that are switched off. */
    List<String> getSwitchedOff();

    /** Does {@link Sites#switchOff(String)}. */
    void switchOff(String name);

    /** Does {@link Sites#switchOn(String)}. */
    boolean switchOn(String name);
}
