package dev.cleave.agent.transform;

/** Writes the placements of one kind, or what the callers of a method ask of it, into its body. */
interface PlacementWriter {

    /** Writes sends and claims. */
    void write();

    /** Writes what happens when exceptions leave the code, once everything else is written. */
    void settle();
}
