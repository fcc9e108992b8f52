package samples.factory;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Session extends Remote {

    void put(String key, String value) throws RemoteException;

    String get(String key) throws RemoteException;

    void close() throws RemoteException;
}
