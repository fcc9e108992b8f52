package samples.edges;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Exported with socket factories. */
public interface Masked extends Remote {

    String tell() throws RemoteException;
}
