package samples.auction;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Watcher extends Remote {

    /** Returns what the watcher thinks of it: an exception ends the bid. */
    void rises(Lot lot, long cents) throws RemoteException, TooLowException;
}
