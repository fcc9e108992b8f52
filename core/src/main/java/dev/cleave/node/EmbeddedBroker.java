package dev.cleave.node;

import dev.cleave.transport.Endpoint;

/**
 * Starts a broker in this process, for a node whose configuration names none and that finds none at the default
 * address. Found by {@link java.util.ServiceLoader}; the broker's module provides it.
 */
@FunctionalInterface
public interface EmbeddedBroker {

    /**
     * Starts a broker.
     *
     * @throws dev.cleave.transport.TransportException if the address is taken
     */
    Running start(Endpoint endpoint);

    /** A broker that runs in this process. */
    @FunctionalInterface
    interface Running extends AutoCloseable {

        @Override
        void close();
    }
}
