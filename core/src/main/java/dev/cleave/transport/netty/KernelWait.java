package dev.cleave.transport.netty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The time in which the driver of a loop waits for the kernel and touches nothing of the loop: another thread may borrow the
 * right to write to sockets then, and gives it back before the driver goes on.
 *
 * <p>Without it, whoever has something to send would wake the driver for it, which costs a system call and a change of
 * threads before that which sends. Who borrows may not wait for anything, and what it does happens before what the driver
 * does next.
 */
final class KernelWait {

    private static final int BUSY = 0; // the driver is at work, or nobody drives
    private static final int WAITING = 1;
    private static final int BORROWED = 2;
    private static final int WANTED = 3; // borrowed, and the driver wants to go on
    private static final int SPINS = 50; // a write takes a few microseconds

    private final AtomicInteger state = new AtomicInteger(BUSY);
    private volatile @Nullable Thread driver; // that waits for who has borrowed

    /** The driver is about to wait. Driver only. */
    void begin() {
        state.setRelease(WAITING);
    }

    /** The driver goes on, when nobody has borrowed its right any more; does nothing if it did not wait. Driver only. */
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

    /** Borrows the right of the driver; false if it is at work, or somebody else has borrowed it. */
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
