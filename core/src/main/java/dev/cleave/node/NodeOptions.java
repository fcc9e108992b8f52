package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Bindings;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * What a node is told when it is made.
 *
 * @param broker the broker, or null to look for one as {@link Node#connect()} does
 * @param bindings the application file
 * @param name the node's name, and that of its replicas, or null for one made up
 * @param listenHost where it listens, and what clients dial
 * @param capacity how many calls run and wait
 * @param transport how it connects, or null for TCP; one that is given stays the giver's to close
 */
public record NodeOptions(
        @Nullable Endpoint broker,
        Bindings bindings,
        @Nullable String name,
        String listenHost,
        Server.Capacity capacity,
        @Nullable Transport transport) {

    /** What holds unless something else is said. */
    public static final NodeOptions DEFAULT =
            new NodeOptions(null, Bindings.NONE, null, "localhost", Server.Capacity.DEFAULT, null);

    /** Checks its components. */
    public NodeOptions {
        requireNonNull(bindings, "bindings");
        requireNonNull(listenHost, "listenHost");
        requireNonNull(capacity, "capacity");
        if (listenHost.isEmpty()) {
            throw new IllegalArgumentException("listenHost: empty (expected: a name or an address)");
        }
    }

    /** These with another broker. */
    public NodeOptions withBroker(Endpoint other) {
        return new NodeOptions(other, bindings, name, listenHost, capacity, transport);
    }

    /** These with another application file. */
    public NodeOptions withBindings(Bindings other) {
        return new NodeOptions(broker, other, name, listenHost, capacity, transport);
    }

    /** These with another name. */
    public NodeOptions withName(String other) {
        return new NodeOptions(broker, bindings, other, listenHost, capacity, transport);
    }

    /** These with another host to listen on. */
    public NodeOptions withListenHost(String other) {
        return new NodeOptions(broker, bindings, name, other, capacity, transport);
    }

    /** These with another number of workers and of calls that wait for them. */
    public NodeOptions withCapacity(int workers, int queue) {
        return new NodeOptions(broker, bindings, name, listenHost, new Server.Capacity(workers, queue), transport);
    }

    /** These with another transport, which stays the caller's to close. */
    public NodeOptions withTransport(Transport other) {
        return new NodeOptions(broker, bindings, name, listenHost, capacity, other);
    }
}
