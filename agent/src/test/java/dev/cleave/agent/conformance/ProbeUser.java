package dev.cleave.agent.conformance;

/** A thread-local for programs, in a class of its own: one with an initializer would hold up reads of {@link Probe}. */
public final class ProbeUser {

    /** What the thread of a program carries along with its calls, as a logging context is. */
    public static final ThreadLocal<String> USER = new ThreadLocal<>();

    private ProbeUser() {}
}
