package dev.cleave.client;

import dev.cleave.concurrent.LendingThread;
import dev.cleave.wire.CallPath;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits for a call that a served method makes.
 *
 * @param number the call's own among the calls of all processes; 0 if no served method makes it
 * @param path the calls that wait for it, itself included
 */
record WaitPath(long number, CallPath path) {

    /** That of a call which no served method makes. */
    static final WaitPath NONE = new WaitPath(0, CallPath.NONE);

    /** Unique as far as a random beginning can make it. */
    private static final AtomicLong NUMBERS = new AtomicLong(new SecureRandom().nextLong());

    /** That of a call which this thread makes and will wait for. */
    static WaitPath here() {
        if (!(Thread.currentThread() instanceof LendingThread server)) {
            return NONE;
        }
        long number = NUMBERS.incrementAndGet();
        return new WaitPath(number, CallPath.of(server.path(number)));
    }
}
