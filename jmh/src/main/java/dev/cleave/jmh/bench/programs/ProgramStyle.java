package dev.cleave.jmh.bench.programs;

import java.util.Locale;

/** How a program is written, and run. */
public enum ProgramStyle {
    /** The program as people write it, without the agent. */
    PLAIN,
    /** The same class, with the agent. */
    AGENT,
    /** By hand, in stages, with {@code Cleave.async}; the floor. */
    HAND,
    /** A virtual thread for each call; needs JDK 21. */
    VIRTUAL_THREADS;

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
