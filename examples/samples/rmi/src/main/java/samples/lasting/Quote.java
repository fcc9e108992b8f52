package samples.lasting;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Quote extends Remote {

    String price(String of) throws RemoteException;

    /** Ends the server: what it has exported is unexported. */
    void stop() throws RemoteException;
}
