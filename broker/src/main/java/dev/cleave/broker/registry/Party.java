package dev.cleave.broker.registry;

import dev.cleave.replica.ReplicaSet;

/** A connection that offers services or watches them. Compared by identity. */
public interface Party {

    /** The address that it comes from, for people. */
    String address();

    /**
     * Called when a newer process of a replica that it offered, at another address, has taken its place. On the
     * registry's thread.
     */
    default void displaced(String service, String replica, String by) {}

    /** Called when a service that it watches has changed. On the registry's thread, in the order of the changes. */
    void changed(ReplicaSet replicas);
}
