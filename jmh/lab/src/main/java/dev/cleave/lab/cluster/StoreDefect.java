package dev.cleave.lab.cluster;

/** A known defect of a store or a broker, put into simulated clusters to see that it is found. */
public enum StoreDefect {
    /** Writes are not conditional. */
    BLIND_WRITES("the store writes whatever was expected"),
    /** Reads return what was there before the last write. */
    OLD_READS("the store returns the entry before the last one"),
    /** Each fifth change is not told. */
    LOST_EVENTS("a watch misses changes"),
    /** After an interruption the entries are not told again. */
    NO_SYNC("a watch does not begin again after an interruption"),
    /** Entries cannot be removed. */
    NOTHING_GOES("the store keeps entries that were removed"),
    /** Writes are acknowledged and forgotten at times. */
    LOST_WRITES("the store forgets writes that it has acknowledged"),
    /** The entry of a broker stays when its session has ended. */
    BROKERS_STAY("the entry of a broker outlives its session"),
    /** A session gets the fencing token of an earlier one. */
    OLD_FENCES("a new session gets an old fencing token"),
    /** A broker removes the replicas of a broker that has just gone. */
    HASTY_REMOVAL("replicas go with their broker"),
    /** Changes are told in the wrong order. */
    SHUFFLED_EVENTS("a watch tells an old change after a new one"),
    /** A replica moves calls for a broker that is no longer the owner. */
    UNFENCED("a replica takes the orders of an old owner"),
    /** A write whose answer was lost is made again. */
    REPEATED_WRITES("a write without an answer is repeated", StoreKind.ZOOKEEPER),
    /** A session reads from a follower that is behind what it has read before. */
    BACKWARD_READS("reads go back after a change of the follower", StoreKind.ZOOKEEPER);

    private final String what;
    private final StoreKind kind;

    StoreDefect(String what) {
        this(what, StoreKind.MEMORY);
    }

    StoreDefect(String what, StoreKind kind) {
        this.what = what;
        this.kind = kind;
    }

    /** The store in which it can be. */
    public StoreKind kind() {
        return kind;
    }

    /** The defect in words. */
    public String what() {
        return what;
    }
}
