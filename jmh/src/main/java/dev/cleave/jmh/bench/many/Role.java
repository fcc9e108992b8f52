package dev.cleave.jmh.bench.many;

import java.util.Locale;

/** Under which circumstances a client calls; each has a server of its own. */
public enum Role {
    /** No other clients and calls. The floor. */
    ALONE,
    /** Others have connections to the server, and are silent. */
    IDLE,
    /** Calls of the same client wait. */
    PENDING,
    /** The client has many connections, and calls over all of them. */
    ACTIVE;

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
