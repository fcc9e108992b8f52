package samples.chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Chat extends Remote {

    void join(String name, Listener listener) throws RemoteException;

    /** Tells all others; returns how many heard it. */
    int say(String name, String text) throws RemoteException;

    boolean leave(Listener listener) throws RemoteException;

    int members() throws RemoteException;

    /** Blocks until a member has said something that begins with a text. */
    String await(String beginning) throws RemoteException, InterruptedException;
}
