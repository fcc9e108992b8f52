package dev.cleave.config;

/** How a method is called. */
public enum Style {
    /** Exactly where it is written. */
    SYNC,
    /** May start earlier and overlap other calls. */
    ASYNC
}
