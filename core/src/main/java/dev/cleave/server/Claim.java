package dev.cleave.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Decides which thread runs, drops or refuses a call: the first that claims it. Thread-safe. */
final class Claim {

    private enum State {
        /** Unclaimed: the call waits. */
        FREE,
        /** A worker reads its arguments, to know its priority. */
        RATING,
        /** A worker reads its arguments, and the call has been given up meanwhile. */
        GIVEN_UP,
        /** A thread runs, drops or refuses it. */
        TAKEN,
        /** A thread is about to interrupt the one that runs it. */
        INTERRUPTING,
        /** The thread that runs it has been interrupted. */
        INTERRUPTED,
        /** Its method has ended. */
        ENDED
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Claim.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile State state = State.FREE;

    /** Claims a free call; a call that is being rated is given up instead, and refused after that. */
    boolean take() {
        if (STATE.compareAndSet(this, State.FREE, State.TAKEN)) {
            return true;
        }
        boolean unused = STATE.compareAndSet(this, State.RATING, State.GIVEN_UP);
        return false;
    }

    /** Claims the call, if it is free and not being rated. */
    boolean takeFree() {
        return STATE.compareAndSet(this, State.FREE, State.TAKEN);
    }

    /** Whether a thread has claimed it. */
    boolean isTaken() {
        return state == State.TAKEN;
    }

    /** Marks the call as being rated by a worker, if it is free. */
    boolean beginRating() {
        return STATE.compareAndSet(this, State.FREE, State.RATING);
    }

    /** The call has been rated and waits again; false if it has been given up meanwhile. */
    boolean endRating() {
        return STATE.compareAndSet(this, State.RATING, State.FREE);
    }

    /** Interrupts the thread that runs the method of the call; false if the method has ended, or that has been done. */
    boolean interrupt(Thread runs) {
        if (!STATE.compareAndSet(this, State.TAKEN, State.INTERRUPTING)) {
            return false;
        }
        runs.interrupt();
        state = State.INTERRUPTED;
        return true;
    }

    /** The method has ended, on the current thread, which is not interrupted for it any more; false if it has been. */
    boolean ends() {
        while (!STATE.compareAndSet(this, State.TAKEN, State.ENDED)) {
            State now = state;
            if (now != State.INTERRUPTING) {
                return now != State.INTERRUPTED;
            }
            Thread.onSpinWait(); // the other thread is between two of its instructions
        }
        return true;
    }

    /** Frees the object for another call. */
    void free() {
        state = State.FREE;
    }

    /** Claims the call that the current worker has rated, to refuse it. */
    void refuse() {
        state = State.TAKEN;
    }
}
