package dev.cleave.replica;

import dev.cleave.wire.ReplicaState;

/**
 * Whether one peer still lives, as far as can be told from what is heard of it.
 *
 * <p>Silence is counted in intervals, one ping each, not in time: when whoever counts has been stopped itself for a while, that
 * counts as one at most. Has no clock and no thread of its own; belongs to whoever counts.
 */
public final class Pulse {

    private final int suspectAfter;
    private final int downAfter;
    private ReplicaState state;
    private int silent;

    /**
     * Creates one that has heard nothing yet.
     *
     * @param initial what is thought of the peer until then
     * @param suspectAfter intervals of silence after which it is suspect
     * @param downAfter intervals of silence after which it is down, for ever
     */
    public Pulse(ReplicaState initial, int suspectAfter, int downAfter) {
        if (suspectAfter < 1 || downAfter <= suspectAfter) {
            throw new IllegalArgumentException("suspectAfter, downAfter: " + suspectAfter + ", " + downAfter
                    + " (expected: at least 1, and more than that)");
        }
        this.state = initial;
        this.suspectAfter = suspectAfter;
        this.downAfter = downAfter;
    }

    /** What is thought of the peer. */
    public ReplicaState state() {
        return state;
    }

    /** Whether the next interval of silence would be the last. */
    public boolean isNearlyDown() {
        return silent + 1 >= downAfter;
    }

    /** An interval has passed in which nothing was heard. */
    public void onSilence() {
        if (state == ReplicaState.DOWN) {
            return;
        }
        silent++;
        if (silent >= downAfter) {
            state = ReplicaState.DOWN;
        } else if (silent >= suspectAfter) {
            state = ReplicaState.SUSPECT;
        }
    }

    /** A sign of life has come; one that comes after the end changes nothing. */
    public void onSign() {
        if (state != ReplicaState.DOWN) {
            silent = 0;
            state = ReplicaState.UP;
        }
    }
}
