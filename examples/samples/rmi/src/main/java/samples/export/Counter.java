package samples.export;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Counter extends Remote {

    int next() throws RemoteException;

    int value() throws RemoteException;

    void reset() throws RemoteException;
}
