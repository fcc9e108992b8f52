package dev.cleave.lab.cluster;

/** The promises of the store of a simulated cluster. */
public enum StoreKind {
    /** Each read returns the last write, and each write is answered. */
    MEMORY,
    /**
     * Promises as ZooKeeper does: a session reads from a follower that may be behind, never behind what it has read or written; answers of writes are
     * lost with their connection; a change of the leader stops all verbs for some seconds and ends no session.
     */
    ZOOKEEPER
}
