package dev.cleave.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Says which objects of a process can be called over Cleave. Each process has one, under a number that all know. */
public interface RmiProbe extends Remote {

    /**
     * Whether an object can be called.
     *
     * @param high the first half of its number
     * @param low the second half
     * @param type the name of its interfaces
     */
    boolean offers(long high, long low, String type) throws RemoteException;
}
