package dev.cleave.call;

import dev.cleave.transport.WaitCondition;
import java.util.concurrent.locks.LockSupport;

/** What threads wait for, and how they do: the end of a call. */
public interface Waiting extends WaitCondition {

    /** A thread is about to wait: sends what is still buffered. */
    void waiting();

    /** Whether the server is to be told when a thread has been blocked for {@value Wait#BLOCKED_NANOS} ns. */
    default boolean isToBeTold() {
        return false;
    }

    /** A thread has been blocked for {@value Wait#BLOCKED_NANOS} ns: tells the server. */
    default void blocked() {}

    /** The number by which a server knows the call that a thread of it waits for; 0 if there is none. */
    default long waitNumber() {
        return 0;
    }

    /** Blocks the current thread, which the end of the call unparks, until something has come or a time; may return early. */
    default void block(WaitCondition it, long atNanos) {
        if (!it.isDone()) {
            LockSupport.parkNanos(this, atNanos - System.nanoTime());
        }
    }
}
