package dev.cleave.server;

import java.util.concurrent.atomic.AtomicReference;

/** Who has a call in hand: whoever is first may run, drop or refuse it. Thread-safe. */
final class Claim {

    private enum State {
        /** Nobody: it waits. */
        FREE,
        /** A worker reads its arguments, to know its priority. */
        RATING,
        /** As {@link #RATING}, and it has been given up meanwhile. */
        GIVEN_UP,
        /** Somebody runs, drops or refuses it. */
        TAKEN
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);

    /** Takes the call, if nobody has; while it is rated it is given up instead, and refused when that has been done. */
    boolean take() {
        if (state.compareAndSet(State.FREE, State.TAKEN)) {
            return true;
        }
        state.compareAndSet(State.RATING, State.GIVEN_UP);
        return false;
    }

    /** Takes the call, if nobody has and nobody rates it. */
    boolean takeFree() {
        return state.compareAndSet(State.FREE, State.TAKEN);
    }

    /** A worker rates the call from now on, if nobody has it. */
    boolean beginRating() {
        return state.compareAndSet(State.FREE, State.RATING);
    }

    /** The call has been rated and waits again; false if it has been given up meanwhile. */
    boolean endRating() {
        return state.compareAndSet(State.RATING, State.FREE);
    }

    /** Nobody has it, whoever had it: it stands for another call from now on. */
    void free() {
        state.set(State.FREE);
    }

    /** Whoever rated the call refuses it. */
    void refuse() {
        state.set(State.TAKEN);
    }
}
