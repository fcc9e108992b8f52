package dev.cleave.agent.scan;

/** Whether the application file vouches for a method of the program that the agent cannot read. */
public enum TrustLevel {
    /** The file does not name it. */
    NONE,
    /** It changes nothing from which arguments of remote calls are computed, and waits for no other thread (R43). */
    BENIGN,
    /** It changes nothing at all, and depends on its arguments alone. */
    PURE
}
