package samples.edges;

import java.io.IOException;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.List;
import java.util.Map;

/** Uses of RMI that are allowed and rare. */
public interface Edge extends Remote {

    /** Calls back, which calls again, and so on. */
    interface Back extends Remote {

        String back(Edge edge, int depth) throws RemoteException;
    }

    /** Read step by step, and gone at its end. */
    interface Cursor<T> extends Remote {

        T next() throws RemoteException;
    }

    String name() throws RemoteException;

    /** A default method of a remote interface is called remotely, too. */
    default String where() throws RemoteException {
        return "at the " + (this instanceof EdgeServer ? "server" : "client") + " of " + name();
    }

    Object echo(Object value) throws RemoteException;

    int sum(int... all) throws RemoteException;

    String which(Object value) throws RemoteException;

    String which(String value) throws RemoteException;

    String which(int value) throws RemoteException;

    String down(Back back, int depth) throws RemoteException;

    Cursor<String> words(String text) throws RemoteException;

    Registry inner() throws RemoteException;

    Remote masked() throws RemoteException;

    Map<Remote, String> known() throws RemoteException;

    void add(Back back) throws RemoteException;

    boolean remove(Back back) throws RemoteException;

    List<Back> backs() throws RemoteException;

    String unwrap(MarshalledObject<?> wrapped) throws IOException, ClassNotFoundException;

    void io(String how) throws IOException;

    void nap(long millis) throws RemoteException;
}
