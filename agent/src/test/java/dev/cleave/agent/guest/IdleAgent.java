package dev.cleave.agent.guest;

import java.lang.instrument.Instrumentation;

/** An agent that does nothing. */
public final class IdleAgent {

    private IdleAgent() {}

    /** Does nothing. */
    public static void premain(String arguments, Instrumentation instrumentation) {}
}
