package samples.auction;

import java.rmi.RemoteException;

public interface ReservedLot extends Lot, Watched {

    @Override
    ReservedLot self() throws RemoteException;

    @Override
    String name() throws RemoteException;

    boolean isReached() throws RemoteException;
}
