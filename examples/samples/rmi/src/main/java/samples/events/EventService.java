package samples.events;

import java.io.IOException;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** Tells listeners of events as long as they renew their leases. */
public interface EventService extends Remote {

    /** Forgets all listeners, and begins at tick 0. */
    void begin() throws RemoteException;

    /** Registers a listener; what it hands back comes with each of its events. */
    EventRegistration register(EventListener listener, MarshalledObject<?> handback, long ticks)
            throws RemoteException, LeaseDeniedException;

    /** Registers several listeners at once; the registrations have their order. */
    EventRegistration[] registerAll(EventListener[] listeners, long ticks) throws RemoteException, LeaseDeniedException;

    /** Tells all listeners whose leases have not ended; returns how many heard of it. */
    int announce(String subject) throws RemoteException;

    /** Lets time pass: leases count ticks. */
    void tick(long ticks) throws RemoteException;

    /** The services that this one federates with: stubs in rows of different lengths, some of them null. */
    EventService[][] peers(int rows) throws RemoteException;

    /** The listener that is registered under a number. */
    <L extends EventListener> L listener(Class<L> type, long number) throws IOException;
}
