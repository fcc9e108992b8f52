package samples.bank;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Account extends Remote {

    String owner() throws RemoteException;

    long balance() throws RemoteException;

    void deposit(long cents) throws RemoteException;

    void withdraw(long cents) throws RemoteException, OverdrawnException;

    /** Moves money to another account, which may be in another process. */
    void transfer(Account to, long cents) throws RemoteException, OverdrawnException;
}
