package samples.auction;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;

public interface House extends Remote {

    /** Begins with new lots; those before are taken back. */
    void begin() throws RemoteException;

    Catalogue catalogue() throws RemoteException;

    <T extends Thing> T pick(Class<T> type, String name) throws RemoteException;

    /** What a collection of the client holds, as the server sees it. */
    String seen(Collection<?> given) throws RemoteException;

    /** The same map again, with the lots that it has for names. */
    Map<String, Thing> filled(Map<String, Thing> names) throws RemoteException;

    /** Applies a function of the client to a remote object here. */
    <R> R apply(String name, Function<Lot, R> function) throws RemoteException;

    /** Binds another object under a name, and takes the one before it back. */
    int reopen(String name) throws RemoteException;
}
