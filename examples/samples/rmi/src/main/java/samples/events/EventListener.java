package samples.events;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Hears of events. */
public interface EventListener extends Remote {

    /** Hears of an event. */
    void notify(RemoteEvent event) throws UnknownEventException, RemoteException;
}
