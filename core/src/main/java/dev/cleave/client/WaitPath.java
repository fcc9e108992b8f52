package dev.cleave.client;

import dev.cleave.concurrent.LendingThread;
import dev.cleave.wire.CallPath;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls that wait for a call which a served method makes.
 *
 * @param number the call's own among the calls of all processes; 0 if no served method makes it
 * @param path the calls that wait for it, itself included
 */
record WaitPath(long number, CallPath path) {

    /** The path of a call that no served method makes. */
    static final WaitPath NONE = new WaitPath(0, CallPath.NONE);

    /** Begins at a random number, so that two processes rarely share one. */
    private static final AtomicLong NUMBERS = new AtomicLong(new SecureRandom().nextLong());

    /** Returns the path of a call that this thread makes and will wait for. */
    static WaitPath here() {
        if (!(Thread.currentThread() instanceof LendingThread server)) {
            return NONE;
        }
        long number = NUMBERS.incrementAndGet();
        return new WaitPath(number, CallPath.of(server.path(number)));
    }
}
