package dev.cleave.replica;

/** How much the replicas of a service have to do, as far as is known here. */
public interface Burden {

    /** How many calls that were sent to a replica from here have not ended. */
    int outstanding(String replica);

    /** How many of those have not begun there, as far as the replica has told. */
    int waiting(String replica);

    /** How many calls each slot of a replica has to serve: those of others, as last reported, and those from here. */
    double load(String replica);
}
