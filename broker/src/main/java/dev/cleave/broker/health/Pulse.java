package dev.cleave.broker.health;

import dev.cleave.wire.ReplicaState;

/**
 * Whether one server still answers.
 *
 * <p>Silence is counted in intervals, one ping each, not in time: when the broker itself has been stopped for a while,
 * that counts as one.
 */
final class Pulse {

    private final int suspectAfter;
    private final int downAfter;
    private ReplicaState state = ReplicaState.STARTING;
    private long sent;
    private long answered;
    private int silent;

    Pulse(int suspectAfter, int downAfter) {
        this.suspectAfter = suspectAfter;
        this.downAfter = downAfter;
    }

    ReplicaState state() {
        return state;
    }

    /** The number of a new ping. */
    long nextPing() {
        return ++sent;
    }

    /** An interval has passed. */
    void onInterval() {
        silent++;
        if (silent >= downAfter) {
            state = ReplicaState.DOWN;
        } else if (silent >= suspectAfter) {
            state = ReplicaState.SUSPECT;
        }
    }

    /** An answer has come; false if it answers no ping that is open. */
    boolean onPong(long id) {
        if (id <= answered || id > sent || state == ReplicaState.DOWN) {
            return false;
        }
        answered = id;
        silent = 0;
        state = ReplicaState.UP;
        return true;
    }
}
