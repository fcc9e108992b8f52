package samples.chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What a client lets the server call. */
public interface Listener extends Remote {

    void heard(String from, String text) throws RemoteException;
}
