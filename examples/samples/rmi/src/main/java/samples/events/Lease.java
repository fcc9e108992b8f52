package samples.events;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The time for which a listener is told; a remote object of its own. */
public interface Lease extends Remote {

    /** A lease that asks for this many ticks never ends. */
    long FOREVER = Long.MAX_VALUE;

    /** The tick at which it ends. */
    long expiration() throws RemoteException;

    /** Lets it end later; returns the tick. */
    long renew(long ticks) throws LeaseDeniedException, UnknownLeaseException, RemoteException;

    /** Ends it. */
    void cancel() throws UnknownLeaseException, RemoteException;
}
