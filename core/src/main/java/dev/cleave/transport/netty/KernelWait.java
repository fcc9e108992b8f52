package dev.cleave.transport.netty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Marks the time in which the driver of a loop waits for the kernel and does not touch the loop. Another thread may
 * borrow the right to write to sockets then, and gives it back before the driver goes on.
 *
 * <p>Without it, a thread with frames to send would have to wake the driver, which costs a system call and a change of
 * threads before the write. A borrower may not block, and its actions happen before the next ones of the driver.
 */
final class KernelWait {

    private static final int BUSY = 0; // the driver is at work, or no thread drives
    private static final int WAITING = 1;
    private static final int BORROWED = 2;
    private static final int WANTED = 3; // borrowed, and the driver wants to go on
    private static final int SPINS = 50; // a write takes a few microseconds

    private final AtomicInteger state = new AtomicInteger(BUSY);
    private volatile @Nullable Thread driver; // the driver, while it waits for the borrower

    /** Begins the time in which threads may borrow. Driver only. */
    void begin() {
        state.setRelease(WAITING);
    }

    /**
     * Ends the time in which threads may borrow, once the last borrower has given back its right; does nothing if it
     * had not begun. Driver only.
     */
    void end() {
        if (state.get() == BUSY) {
            return;
        }
        for (int i = 0; !state.compareAndSet(WAITING, BUSY); i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                driver = Thread.currentThread();
                if (state.compareAndSet(BORROWED, WANTED)) {
                    park();
                    return;
                }
            }
        }
    }

    private void park() {
        boolean interrupted = false;
        while (state.get() != BUSY) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Borrows the right of the driver; false if the driver is at work, or another thread has borrowed it. */
    boolean borrow() {
        return state.get() == WAITING && state.compareAndSet(WAITING, BORROWED);
    }

    /** Gives it back. */
    void giveBack() {
        if (!state.compareAndSet(BORROWED, WAITING)) {
            Thread wants = driver;
            state.set(BUSY);
            LockSupport.unpark(wants);
        }
    }
}
