package dev.cleave.agent.scan;

/** What the user says about a method of the program that the agent cannot see through. */
public enum TrustLevel {
    /** Nothing. */
    NONE,
    /** It changes nothing that arguments of remote calls are computed from, and waits for nobody (R43). */
    BENIGN,
    /** It changes nothing at all, and depends on its arguments alone. */
    PURE
}
