package samples.bank;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

public interface Bank extends Remote {

    Account open(String owner) throws RemoteException;

    Account find(String owner) throws RemoteException;

    List<Account> all() throws RemoteException;

    /** Whether an account is one of this bank. */
    boolean has(Account account) throws RemoteException;
}
