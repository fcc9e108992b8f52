package dev.cleave.broker.registry;

import dev.cleave.replica.ReplicaSet;
import org.jspecify.annotations.Nullable;

/** A connection that offers services or watches them. Compared by identity. */
public interface Party {

    /** The address that it comes from, for people. */
    String address();

    /** The identity that it has proved; null if it was not asked to. */
    default @Nullable String identity() {
        return null;
    }

    /** The endpoint of the broker to which it is connected; empty if that broker is gone; null if it is connected here. */
    default @Nullable String home() {
        return null;
    }

    /** Whether the broker to which it was connected is gone: it will connect to another one. */
    default boolean isOrphaned() {
        return "".equals(home());
    }

    /**
     * Called when a newer process of a replica that it offered, at another address, has taken its place. On the
     * registry's thread.
     */
    default void displaced(String service, String replica, String by) {}

    /** Called when a service that it watches has changed. On the registry's thread, in the order of the changes. */
    void changed(ReplicaSet replicas);
}
