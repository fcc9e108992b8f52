package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

/**
 * A broker of the cluster.
 *
 * @param id its name, of one process; a broker that starts again is another one
 * @param endpoint where nodes and other brokers dial it
 * @param fence its fencing token: greater than those of all brokers that joined before
 * @param startedMillis when it started, in ms since 1970
 */
public record BrokerMember(String id, String endpoint, long fence, long startedMillis) {

    /** Checks its components. */
    public BrokerMember {
        requireNonNull(id, "id");
        requireNonNull(endpoint, "endpoint");
    }
}
