package samples.auction;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Has a method of the same name as {@link Thing}. */
public interface Watched extends Remote {

    String name() throws RemoteException;

    void watch(Watcher watcher) throws RemoteException;
}
