package dev.cleave.broker.registry;

import dev.cleave.replica.ReplicaSet;

/** A connection that offers services or watches them. Compared by identity. */
public interface Party {

    /** Where it comes from, for people. */
    String address();

    /** A newer life of a replica that it offered, at another address, has taken its place. Called on the registry's thread. */
    default void displaced(String service, String replica, String by) {}

    /** A service that it watches has changed. Called on the registry's thread, in the order of the changes. */
    void changed(ReplicaSet replicas);
}
