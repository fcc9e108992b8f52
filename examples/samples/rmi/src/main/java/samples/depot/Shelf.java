package samples.depot;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Shelf extends Remote {

    String label() throws RemoteException;

    long[][] grid(long[][] grid, char[] chars, boolean[] flags) throws RemoteException;

    String join(String... words) throws RemoteException;

    Object nothing(Object nothing, Integer none) throws RemoteException;
}
