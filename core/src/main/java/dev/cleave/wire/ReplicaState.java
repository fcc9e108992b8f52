package dev.cleave.wire;

/** The state of a replica at a broker. */
public enum ReplicaState {
    /** Registered, and has not answered a ping. */
    STARTING,
    /** Answers pings. */
    UP,
    /** Has missed pings: gets no new calls. */
    SUSPECT,
    /** Finishes its calls: gets no new ones. */
    DRAINING,
    /** Given up. */
    DOWN;

    static ReplicaState of(int number) {
        if (number >= values().length) {
            throw new WireException(ErrorCode.PROTOCOL, "replica state: " + number + " (expected: 0..4)");
        }
        return values()[number];
    }
}
