package dev.cleave.agent.conformance;

/** What pure code of a program can read to learn whether it runs beside a call. */
public final class Probe {

    /** How many calls are in flight now. */
    public static int inFlight;

    private Probe() {}
}
