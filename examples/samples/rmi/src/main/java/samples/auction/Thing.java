package samples.auction;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The top of interfaces that extend each other. */
public interface Thing extends Remote {

    String name() throws RemoteException;

    /** Narrowed by the interfaces below. */
    Thing self() throws RemoteException;
}
