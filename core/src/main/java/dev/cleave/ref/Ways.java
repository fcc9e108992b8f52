package dev.cleave.ref;

import dev.cleave.call.PeerTables;

/** The services that references need of the calling side of their node. */
public interface Ways {

    /** Creates a stub that calls one object. */
    Object stub(Target target);

    /**
     * Creates a stub of a service.
     *
     * @throws dev.cleave.CallException if the broker does not know it
     */
    Object service(String service, Class<?> type);

    /**
     * Connects to a node.
     *
     * @throws dev.cleave.transport.TransportException if it cannot be reached
     */
    PeerTables dial(String endpoint);

    /** The endpoint at which this node can be dialled, or empty. */
    String endpoint();
}
