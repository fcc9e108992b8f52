package samples.auction;

import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;

/** Not exported by its constructor, and of no remote class. */
class LotImpl implements Lot {

    private final String name;
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<String> bidders = new ArrayList<>();
    private long highest;

    LotImpl(String name, long start) {
        this.name = name;
        highest = start;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Lot self() throws RemoteException {
        return this;
    }

    @Override
    public synchronized long highest() {
        return highest;
    }

    @Override
    public synchronized List<String> bidders() {
        return bidders;
    }

    @Override
    public synchronized void bid(String who, long cents) throws RemoteException, TooLowException {
        if (cents <= highest) {
            TooLowException e = new TooLowException(
                    who + " bids " + cents, this, highest - cents + 1, new IllegalArgumentException("for " + name));
            e.addSuppressed(new ArithmeticException("of " + bidders.size()));
            throw e;
        }
        if (cents == 669) {
            LotImpl.<RuntimeException>undeclared(new IOException("of the lot"));
        }
        for (Watcher each : watchers) {
            each.rises(this, cents);
        }
        highest = cents;
        bidders.add(who);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    synchronized void add(Watcher watcher) {
        watchers.add(watcher);
    }
}
