package dev.cleave.agent.conformance;

import java.util.function.IntConsumer;

/** What happens beside a program, for its code to read. */
public final class Probe {

    /** How many calls are in flight now. */
    public static int inFlight;

    /** Another client, which changes the value of a key at the server of the run that began last. */
    public static IntConsumer otherClient = key -> {};

    private Probe() {}
}
