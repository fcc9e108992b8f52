package dev.cleave.ref;

import dev.cleave.call.PeerTables;

/** What references need of the calling side of their node. */
public interface Ways {

    /** A stub that leads to one object. */
    Object stub(Target target);

    /**
     * A stub of a service.
     *
     * @throws dev.cleave.CallException if the broker does not know it
     */
    Object service(String service, Class<?> type);

    /**
     * Reaches a node.
     *
     * @throws dev.cleave.transport.TransportException if it cannot be reached
     */
    PeerTables dial(String endpoint);

    /** Where this node can be dialled, or empty. */
    String endpoint();
}
