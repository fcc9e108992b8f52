package dev.cleave.wire;

/** What a broker thinks of a replica. */
public enum ReplicaState {
    /** Registered, not yet heard of. */
    STARTING,
    /** Answers. */
    UP,
    /** Has missed pings: gets no new calls. */
    SUSPECT,
    /** Finishes what it has: gets no new calls. */
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
