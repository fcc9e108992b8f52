package dev.cleave.examples.experiment;

/** How the calls of a client run. */
public enum Calls {
    /** One after the other, without the agent. */
    SEQUENTIAL,
    /** With the agent. */
    CLEAVED
}
