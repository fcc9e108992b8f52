package dev.cleave.replica;

/** The counts of calls and the loads of the replicas of a service, as this process knows them. */
public interface Burden {

    /** The number of calls that this process sent to a replica and that have not ended. */
    int outstanding(String replica);

    /** The number of those calls that have not begun, as far as the replica has reported. */
    int waiting(String replica);

    /** The number of calls per slot of a replica: calls of other processes, as last reported, and calls of this one. */
    double load(String replica);
}
