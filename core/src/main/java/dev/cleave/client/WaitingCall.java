package dev.cleave.client;

import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.replica.Placement;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that may wait in a line for room at a replica, and has not been sent. One thread takes it out of the line: the one
 * that sends it, or the one that ends the call before.
 *
 * @param <W> a way to a replica
 */
abstract class WaitingCall<W> extends AgeingQueue.Entry {

    private final int bytes;
    private final @Nullable Object key;
    private volatile @Nullable Line line; // null before it waits
    private volatile @Nullable Function<@Nullable Placement, W> way; // finds the way to a replica

    /** The line in which a call waits. Thread-safe. */
    interface Line {

        /** Takes a call out; false if it does not wait there. */
        boolean take(WaitingCall<?> call);

        /** Notes that a caller is blocked on a call. */
        void promote(WaitingCall<?> call);
    }

    /**
     * Creates a call.
     *
     * @param bytes of its frame
     * @param key what the policy knows of the call
     */
    WaitingCall(int bytes, @Nullable Object key) {
        this.bytes = bytes;
        this.key = key;
    }

    /** Sends the call, which has been taken out of its line; throws nothing. */
    abstract void send(@Nullable Placement placed);

    /** Drops the request of the call, which has been taken out of its line and has ended. */
    abstract void drop();

    /** Ends the call, which still waits: its node is closing. */
    abstract void nodeCloses();

    int bytes() {
        return bytes;
    }

    @Nullable
    Object key() {
        return key;
    }

    /** Records where it waits, and how its way is found when a replica has room. Before it waits. */
    void waitsIn(Line where, Function<@Nullable Placement, W> found) {
        way = found;
        line = where;
    }

    /**
     * Returns the way to the replica of a placement, or any way if there is none.
     *
     * @throws NoHopException if there is none
     */
    W way(@Nullable Placement placed) {
        Function<@Nullable Placement, W> found = way;
        if (found == null) {
            throw new IllegalStateException("a call that does not wait");
        }
        return found.apply(placed);
    }

    /** Notes that the caller is blocked on the call. */
    void promote() {
        Line waiting = line;
        if (waiting != null) {
            waiting.promote(this);
        }
    }

    /** Takes the call out of its line and drops it; false if it does not wait there: it was sent, or will be. */
    boolean giveUp() {
        Line waiting = line;
        if (waiting == null || !waiting.take(this)) {
            return false;
        }
        drop();
        return true;
    }
}
