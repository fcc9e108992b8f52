package dev.cleave.ref;

import dev.cleave.call.PeerTables;
import dev.cleave.serial.Reference;
import org.jspecify.annotations.Nullable;

/** The services that references need of the calling side of their node. */
public interface Ways {

    /**
     * A node that was reached.
     *
     * @param owner the node; its endpoint is not known
     * @param peer the connection to it, direct or through the broker
     */
    record Reached(Reference.Owner owner, PeerTables peer) {}

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

    /** Returns the way to a node through the broker; null if there is none, or this thread may not wait for it. */
    @Nullable
    PeerTables throughBroker(Reference.Owner owner);

    /**
     * Connects to a replica of a service that this node has looked up, as a call of the service would.
     *
     * @throws dev.cleave.CallException if none can be reached
     */
    Reached replica(String service);

    /** The endpoint at which this node can be dialled, or empty. */
    String endpoint();
}
