package samples.auction;

import java.rmi.RemoteException;

/** Inherits the methods of one remote interface, and adds others. */
class ReservedLotImpl extends LotImpl implements ReservedLot {

    private final long reserve;

    ReservedLotImpl(String name, long start, long reserve) {
        super(name, start);
        this.reserve = reserve;
    }

    @Override
    public ReservedLot self() throws RemoteException {
        return this;
    }

    @Override
    public boolean isReached() {
        return highest() >= reserve;
    }

    @Override
    public void watch(Watcher watcher) {
        add(watcher);
    }
}
