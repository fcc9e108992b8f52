package samples.factory;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A second remote interface of the same objects. */
public interface Audited extends Remote {

    int changes() throws RemoteException;
}
