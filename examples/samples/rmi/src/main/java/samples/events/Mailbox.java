package samples.events;

import java.rmi.RemoteException;
import java.util.Iterator;

/** A listener that keeps its events. */
public interface Mailbox extends EventListener {

    /** The number of events that it has. */
    int size() throws RemoteException;

    /** The events that it has now; the iterator is a copy. */
    Iterator<RemoteEvent> events() throws RemoteException;
}
