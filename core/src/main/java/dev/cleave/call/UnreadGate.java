package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.MemoryBounds;
import dev.cleave.transport.Connection;
import java.util.function.BooleanSupplier;

/**
 * Reads no more from a peer that does not read what this node has written to it, until it does. What is awaited of the
 * peer is read all the same: two nodes that wait for each other's replies do not stop each other. A broker is read
 * from, too: it holds back itself. What the peers of all nodes of the process leave unread is bounded together. Event thread only,
 * but for {@link #isHeld}.
 */
final class UnreadGate {

    private static final int FRAMES = 32; // between two looks

    private final Connection connection;
    private final boolean isBroker;
    private final BooleanSupplier awaitsPeer;
    private volatile boolean held;
    private long unsent; // when it was looked at last; counted for the process
    private int frames;
    private boolean closed;

    /**
     * Reads until the peer leaves too much unread.
     *
     * @param isBroker whether the peer is a broker
     * @param awaitsPeer says whether something is awaited of the peer
     */
    UnreadGate(Connection connection, boolean isBroker, BooleanSupplier awaitsPeer) {
        this.connection = requireNonNull(connection, "connection");
        this.isBroker = isBroker;
        this.awaitsPeer = requireNonNull(awaitsPeer, "awaitsPeer");
    }

    boolean isHeld() {
        return held;
    }

    /** A frame has been handled, and more may follow at once. */
    void onFrame() {
        if (++frames >= FRAMES) {
            check();
        }
    }

    /** Stops reading if the peer has left too much unread. */
    void check() {
        frames = 0;
        if (held) {
            return;
        }
        if (connection.isWritable()) {
            count(0);
            return;
        }
        count(connection.unsent());
        if (awaitsPeer.getAsBoolean() || isBroker) {
            return;
        }
        if (unsent > MemoryBounds.unreadOf(MemoryBounds.UNREAD_PER_PEER, MemoryBounds.UNREAD.used() - unsent)) {
            MemoryBounds.UNREAD.refused();
            held = true; // last: who sees it finds the refusal counted
            connection.reading(false);
            if (connection.isWritable()) { // it may have been said before
                open();
            }
        }
    }

    /** The peer has read. */
    void open() {
        count(0);
        if (held) {
            held = false;
            connection.reading(true);
        }
    }

    /** Reads again if something is awaited by now; says whether the peer has read since this was last asked. */
    boolean interval() {
        long before = unsent;
        count(connection.unsent());
        boolean hasRead = unsent < before;
        if (awaitsPeer.getAsBoolean()) {
            held = false;
            connection.reading(true);
        }
        return hasRead;
    }

    /** The connection is gone. */
    void close() {
        count(0);
        closed = true;
    }

    private void count(long now) {
        if (now != unsent && !closed) {
            MemoryBounds.UNREAD.add(now - unsent);
            unsent = now;
        }
    }
}
