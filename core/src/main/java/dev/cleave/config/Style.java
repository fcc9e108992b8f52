package dev.cleave.config;

/** How a method is called. */
public enum Style {
    /** Exactly where it is written. */
    SYNC,
    /** May start earlier and overlap other calls. */
    ASYNC,
    /** In order at one replica, sent without waiting for results; none is executed after the first failure. */
    CHAINED,
    /** Returns when it has been sent. */
    ONE_WAY
}
