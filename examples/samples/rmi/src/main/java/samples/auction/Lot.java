package samples.auction;

import java.rmi.RemoteException;
import java.util.Comparator;
import java.util.List;

public interface Lot extends Thing {

    /** Compares lots by their names, with calls. */
    Comparator<Lot> BY_NAME = (one, other) -> {
        try {
            return one.name().compareTo(other.name());
        } catch (RemoteException e) {
            throw new IllegalStateException(e);
        }
    };

    @Override
    Lot self() throws RemoteException;

    long highest() throws RemoteException;

    void bid(String who, long cents) throws RemoteException, TooLowException;

    List<String> bidders() throws RemoteException;
}
