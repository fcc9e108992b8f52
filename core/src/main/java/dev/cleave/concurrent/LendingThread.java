package dev.cleave.concurrent;

import java.util.Map;

/**
 * A thread that holds one of a limited number of slots, and lends it to others while it waits for something remote.
 * Code that blocks the thread calls {@link #lend} before and {@link #reclaim} after the wait, on the thread itself.
 */
public abstract class LendingThread extends Thread {

    /** The {@link #path} of a call that no other call waits for. */
    protected static final long[] NO_PATH = {};

    /** Creates a thread that has not been started. */
    protected LendingThread(String name) {
        super(name);
    }

    /**
     * Lends the slot, because the thread is about to wait.
     *
     * @param waitsFor the number of the call that it waits for, as in {@link #path}; 0 if it has none
     */
    public abstract void lend(long waitsFor);

    /** Takes the slot back and returns at once: for a while more threads may run than there are slots. */
    public abstract void reclaim();

    /** Returns the texts that have come with the call that the thread serves; empty if there are none. */
    public abstract Map<String, String> attachments();

    /**
     * Returns the time, on the clock of its node, by which the call that the thread serves must have ended; {@link
     * Long#MAX_VALUE} if it serves none, or its time has not begun.
     */
    public abstract long until();

    /**
     * Returns the numbers of the calls of serial objects that end only when a call that this thread makes has ended,
     * from the outermost on, followed by the number of the call itself. A call that returns to one of these objects
     * would wait for itself. Empty if there is none.
     *
     * @param number of the call to be made
     */
    public abstract long[] path(long number);
}
