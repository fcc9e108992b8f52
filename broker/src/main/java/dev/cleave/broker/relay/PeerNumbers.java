package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;

/** The numbers that name others on one connection: 1 to 65,535, used again once given back. Thread-safe. */
final class PeerNumbers {

    static final int MOST = 0xffff;
    static final int NONE = 0;

    @GuardedBy("this")
    private final BitSet taken = new BitSet();

    /** Returns the least free number, {@link #NONE} if there is none. */
    synchronized int take() {
        int number = taken.nextClearBit(1);
        if (number > MOST) {
            return NONE;
        }
        taken.set(number);
        return number;
    }

    synchronized void give(int number) {
        taken.clear(number);
    }

    synchronized boolean isEmpty() {
        return taken.isEmpty();
    }
}
