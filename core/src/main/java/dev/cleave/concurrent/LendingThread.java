package dev.cleave.concurrent;

/**
 * A thread that holds one of a limited number of slots, and lends it to others while it only waits for something remote.
 * Whoever lets it wait calls {@link #lend} before and {@link #reclaim} after that, on the thread itself.
 */
public abstract class LendingThread extends Thread {

    /** The path of a call that nobody waits for. */
    protected static final long[] NO_PATH = {};

    /** Creates a thread that has not been started. */
    protected LendingThread(String name) {
        super(name);
    }

    /**
     * The thread is about to wait.
     *
     * @param waitsFor the number of the call that it waits for, as in {@link #path}; 0 if it has none
     */
    public abstract void lend(long waitsFor);

    /** The thread goes on at once: for a while more threads may run than there are slots. */
    public abstract void reclaim();

    /**
     * The calls that end only when a call that this thread makes has ended, as far as it must not come back to those who
     * wait for them: their numbers, from the outermost on, and at the end that of the call itself. Empty if there is none.
     *
     * @param number of the call to be made
     */
    public abstract long[] path(long number);
}
