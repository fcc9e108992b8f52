package dev.cleave.replica;

import org.jspecify.annotations.Nullable;

/** The counts of calls and the loads of the replicas of a service, as this process knows them. */
public interface InFlightCounts {

    /** The number of calls that this process sent to a replica and that have not ended. */
    int outstanding(String replica);

    /** The number of those calls that have not begun, as far as the replica has reported. */
    int waiting(String replica);

    /** The number of calls per slot of a replica: calls of other processes, as last reported, and calls of this one. */
    double load(String replica);

    /** The number of slots of a replica that have no call, as far as it has reported; 0 if it has not. */
    default int free(String replica) {
        return 0;
    }

    /**
     * The time that a replica will need for the calls of this process that it has, in nanoseconds, as far as policies that
     * {@linkplain BalancePolicy#weighs weigh} calls have learned it.
     */
    default double work(String replica) {
        return outstanding(replica);
    }

    /** The time that a call will take, of a key that is {@link Work}; 1 for any other. */
    default double time(@Nullable Object key) {
        return 1;
    }

    /**
     * The number of calls that may wait at a replica so that it never waits for the next one: one, and those that it can run
     * while one call is on its way to it. Known only if the policy {@linkplain BalancePolicy#pulls pulls}.
     */
    default int mayWait(String replica) {
        return 1;
    }
}
