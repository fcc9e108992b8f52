package samples.values;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;

public interface Echo extends Remote {

    Object echo(Object value) throws RemoteException;

    /** Whether the two arguments are one object on the server, and the first element of the list is that object. */
    String same(Object a, Object b, List<?> list) throws RemoteException;

    /** Changes its argument; the caller's is a copy. */
    int[] doubled(int[] values) throws RemoteException;

    Map<String, List<Temperature>> grouped(List<Temperature> values) throws RemoteException;

    void fail(String how) throws RemoteException, Failure;

    double mixed(byte a, short b, char c, int d, long e, float f, double g, boolean h, String i) throws RemoteException;
}
