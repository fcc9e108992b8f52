package samples.factory;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface SessionFactory extends Remote {

    Session open(String user) throws RemoteException;

    /** The same session for a name, as an object of no particular type. */
    Object shared(String name) throws RemoteException;

    Remote[] all() throws RemoteException;

    String host() throws RemoteException;

    /** How many sessions nobody has any more. */
    int unreferenced() throws RemoteException;
}
