package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.MemoryBounds;

/**
 * Reads no more from a peer that does not read what this node has written to it, until it does. What is awaited of the
 * peer is read all the same: two nodes that wait for each other's replies do not stop each other. A broker is read
 * from, too: it holds back itself. What the peers of all nodes of the process leave unread is bounded together. Event thread only,
 * but for {@link #isHeld}.
 */
final class UnreadGate {

    private static final int FRAMES = 32; // between two looks

    private final Link link;
    private volatile boolean held;
    private long unsent; // when it was looked at last; counted for the process
    private int frames;
    private boolean closed;

    UnreadGate(Link link) {
        this.link = requireNonNull(link, "link");
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
        if (link.connection().isWritable()) {
            count(0);
            return;
        }
        count(link.connection().unsent());
        if (link.awaitsPeer() || link.leadsToBroker()) {
            return;
        }
        if (unsent > MemoryBounds.unreadOf(MemoryBounds.UNREAD_PER_PEER, MemoryBounds.UNREAD.used() - unsent)) {
            MemoryBounds.UNREAD.refused();
            held = true; // last: who sees it finds the refusal counted
            link.connection().reading(false);
            if (link.connection().isWritable()) { // it may have been said before
                open();
            }
        }
    }

    /** The peer has read. */
    void open() {
        count(0);
        if (held) {
            held = false;
            link.connection().reading(true);
        }
    }

    /** Reads again if something is awaited by now; says whether the peer has read since this was last asked. */
    boolean interval() {
        long before = unsent;
        count(link.connection().unsent());
        boolean hasRead = unsent < before;
        if (link.awaitsPeer()) {
            held = false;
            link.connection().reading(true);
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
