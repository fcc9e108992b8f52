package dev.cleave.transport.netty;

/**
 * Decides when a worker may ask the own thread of a loop for the wheel. To change drivers costs two changes of threads, and
 * a leader saves as many with each call. So after a leader that soon lost the wheel, twice as many wishes are refused before
 * the next is granted; that is forgotten when no worker has wished for {@value #FORGET_NANOS} nanoseconds, as other callers
 * call then. Thread-safe; wishes of two threads at a time may be counted once.
 */
final class LeadTerms {

    /** After this many calls of leaders the own thread looks after them less often: a nap costs a processor about 10 us. */
    static final int PROVEN = 1_000;

    /** How many calls leaders have to run at least, so that getting the wheel from the own thread has paid. */
    static final int LEAST = 16;

    static final int LEAST_PAUSE = 16;
    static final int MOST_PAUSE = 4096;
    static final long FORGET_NANOS = 100_000_000;

    private volatile int led; // the number of calls that leaders have run since one got the wheel
    private volatile int pause = LEAST_PAUSE; // the number of wishes to refuse
    private volatile int wishes; // refused since then
    private volatile long lastWish = System.nanoTime();

    /** Counts a wish at a time of the clock of the JVM; says whether it is granted. Only while the own thread drives. */
    boolean isGranted(long now) {
        int calls = led;
        if (now - lastWish > FORGET_NANOS) {
            pause = LEAST_PAUSE;
            led = 0;
            wishes = 0;
        } else if (calls > 0) { // the own thread has got the wheel back
            pause = calls < LEAST ? Math.min(2 * pause, MOST_PAUSE) : LEAST_PAUSE;
            led = 0;
            wishes = 0;
        }
        lastWish = now;
        int count = wishes + 1;
        wishes = count;
        return count > pause;
    }

    /** Records whether the worker whose wish was granted has got the wheel. */
    void given(boolean it) {
        wishes = 0;
        led = it ? 1 : 0;
    }

    /** Counts a call of a leader. */
    void goesOn() {
        led = Math.min(led + 1, PROVEN);
    }

    /** Says whether leaders have run enough calls in a row that a long one is not expected. */
    boolean isProven() {
        return led >= PROVEN;
    }
}
