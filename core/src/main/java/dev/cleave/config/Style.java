package dev.cleave.config;

/** How a method is called. */
public enum Style {
    /** Exactly where it is written. */
    SYNC,
    /** May start earlier and overlap other calls. */
    ASYNC,
    /** In order at one replica, sent one behind the other; none after the first failure. */
    CHAINED,
    /** Not waited for. */
    ONE_WAY
}
