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
     * Creates the pulse of a peer of which nothing has been heard.
     *
     * @param initial the state of the peer until a sign of it arrives
     * @param suspectAfter the intervals of silence after which it is suspect
     * @param downAfter the intervals of silence after which it is down, for good
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

    /** The state of the peer. */
    public ReplicaState state() {
        return state;
    }

    /** Whether one more interval of silence would make the peer down. */
    public boolean isNearlyDown() {
        return silent + 1 >= downAfter;
    }

    /** Counts an interval without a sign of the peer. */
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

    /** Notes a sign of life; it changes nothing if the peer is down. */
    public void onSign() {
        if (state != ReplicaState.DOWN) {
            silent = 0;
            state = ReplicaState.UP;
        }
    }
}
