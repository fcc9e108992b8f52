package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a service.
 *
 * @param name its name, unique in the service
 * @param host the host that clients dial, or null for the address by which it reaches the broker
 * @param link the emulated link to it, or null for the service's
 * @param options options for the implementation, by name
 */
public record ReplicaBinding(
        String name, @Nullable String host, @Nullable EmulatedLink link, Map<String, String> options) {

    /** Checks and copies its components. */
    public ReplicaBinding {
        requireNonNull(name, "name");
        options = Copies.inOrder(options);
    }
}
