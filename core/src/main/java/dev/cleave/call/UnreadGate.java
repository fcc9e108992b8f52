package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.MemoryBounds;
import dev.cleave.transport.Connection;
import java.util.function.BooleanSupplier;

/**
 * Stops reading from a peer that does not read what this node has written, until it does. While this node awaits a
 * reply it goes on reading: two nodes that wait for each other do not stop each other. It goes on reading from a
 * broker, too, which holds back itself. One bound holds for the bytes that all peers of the process leave unread.
 * Event thread only, except {@link #isHeld}.
 */
final class UnreadGate {

    private static final int FRAMES = 32; // frames between two checks

    private final Connection connection;
    private final boolean isBroker;
    private final BooleanSupplier awaitsPeer;
    private volatile boolean held;
    private long unsent; // unsent bytes at the last check; counted for the process
    private int frames;
    private boolean closed;

    /**
     * Creates an open gate.
     *
     * @param isBroker whether the peer is a broker
     * @param awaitsPeer says whether this node awaits a reply or result from the peer
     */
    UnreadGate(Connection connection, boolean isBroker, BooleanSupplier awaitsPeer) {
        this.connection = requireNonNull(connection, "connection");
        this.isBroker = isBroker;
        this.awaitsPeer = requireNonNull(awaitsPeer, "awaitsPeer");
    }

    boolean isHeld() {
        return held;
    }

    /** Counts a handled frame, and checks after every {@value #FRAMES}: more may follow at once. */
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
            held = true; // last: a thread that sees it finds the refusal counted
            connection.reading(false);
            if (connection.isWritable()) { // the connection may have become writable before
                open();
            }
        }
    }

    /** Reads again: the peer has read. */
    void open() {
        count(0);
        if (held) {
            held = false;
            connection.reading(true);
        }
    }

    /** Reads again if something is awaited by now; returns whether the peer has read since the last call. */
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

    /** Gives back what is counted: the connection is gone. */
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
