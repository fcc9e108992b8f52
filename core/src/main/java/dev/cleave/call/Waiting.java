package dev.cleave.call;

import dev.cleave.transport.WaitCondition;
import java.util.concurrent.locks.LockSupport;

/** An end of a call that threads wait for, and how they wait. */
public interface Waiting extends WaitCondition {

    /** Flushes buffered frames: a thread is about to wait. */
    void waiting();

    /** Whether the server is to be told when a thread has been blocked for {@value Wait#BLOCKED_NANOS} ns. */
    default boolean isToBeTold() {
        return false;
    }

    /** Tells the server that a thread has been blocked for {@value Wait#BLOCKED_NANOS} ns. */
    default void blocked() {}

    /** Handles that the waiting thread was interrupted: a call that an interrupt ends has ended when this returns. */
    default void interrupted() {}

    /**
     * Returns the number under which a server records that one of its threads waits for this call; 0 if there is none.
     */
    default long waitNumber() {
        return 0;
    }

    /**
     * Blocks the current thread, which the end of the call unparks, until a condition holds or a time has come; may
     * return early.
     */
    default void block(WaitCondition it, long atNanos) {
        if (!it.isDone()) {
            LockSupport.parkNanos(this, atNanos - System.nanoTime());
        }
    }
}
