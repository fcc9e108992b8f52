package samples.depot;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;

/** Objects that are exported in all ways, at ports and by sockets of the program. */
public interface Depot extends Remote {

    /** An object that is exported with factories of both sides, of one of them, or of none. */
    Shelf shelf(String how) throws RemoteException;

    /** How many connections the factory of a name has accepted. */
    int accepted(String how) throws RemoteException;

    /** A registry whose port is reached by sockets of the program. */
    Registry registry() throws RemoteException;

    /** Makes an object that counts, in {@link #unreferenced}, how often RMI tells it that no client holds it any longer. */
    Shelf passing() throws RemoteException;

    int unreferenced() throws RemoteException;

    /** Returns once {@code callers} calls of this method run at the same time. */
    int meet(int callers) throws RemoteException;

    byte[] bytesOf(Shelf shelf) throws RemoteException;

    Shelf shelfOf(byte[] bytes) throws RemoteException;
}
