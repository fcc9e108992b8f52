package dev.cleave.server;

import java.util.concurrent.atomic.AtomicReference;

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

    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);

    /** Claims a free call; a call that is being rated is given up instead, and refused after that. */
    boolean take() {
        if (state.compareAndSet(State.FREE, State.TAKEN)) {
            return true;
        }
        state.compareAndSet(State.RATING, State.GIVEN_UP);
        return false;
    }

    /** Claims the call, if it is free and not being rated. */
    boolean takeFree() {
        return state.compareAndSet(State.FREE, State.TAKEN);
    }

    /** Marks the call as being rated by a worker, if it is free. */
    boolean beginRating() {
        return state.compareAndSet(State.FREE, State.RATING);
    }

    /** The call has been rated and waits again; false if it has been given up meanwhile. */
    boolean endRating() {
        return state.compareAndSet(State.RATING, State.FREE);
    }

    /** Interrupts the thread that runs the method of the call; false if the method has ended, or that has been done. */
    boolean interrupt(Thread runs) {
        if (!state.compareAndSet(State.TAKEN, State.INTERRUPTING)) {
            return false;
        }
        runs.interrupt();
        state.set(State.INTERRUPTED);
        return true;
    }

    /** The method has ended, on the current thread, which is not interrupted for it any more; false if it has been. */
    boolean ends() {
        while (!state.compareAndSet(State.TAKEN, State.ENDED)) {
            State now = state.get();
            if (now != State.INTERRUPTING) {
                return now != State.INTERRUPTED;
            }
            Thread.onSpinWait(); // the other thread is between two of its instructions
        }
        return true;
    }

    /** Frees the object for another call. */
    void free() {
        state.set(State.FREE);
    }

    /** Claims the call that the current worker has rated, to refuse it. */
    void refuse() {
        state.set(State.TAKEN);
    }
}
