package dev.cleave.ref;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.PeerTables;
import dev.cleave.config.MemoryBounds;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bytes that values of peers take in a node. A peer takes at most half of what the others leave, over each of its
 * connections; a value counts for the peer that has put it there. Thread-safe.
 */
final class StoredRoom {

    private final long most;
    private final Map<PeerTables, Share> shares = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private long taken;

    /** Creates an empty room of {@code most} bytes. */
    StoredRoom(long most) {
        this.most = most;
    }

    /** The bytes that values of one peer take. */
    final class Share {

        @GuardedBy("StoredRoom.this")
        private long own;

        /**
         * Takes bytes for a value.
         *
         * @param value the bytes of the value, for the message
         * @throws IllegalStateException if there is no room for them; nothing is taken then
         */
        void take(long more, long value) {
            synchronized (StoredRoom.this) {
                if (own + more > (MemoryBounds.room(most, taken) + own) / 2) {
                    MemoryBounds.STORED.refused();
                    throw new IllegalStateException("no room for " + value + " bytes: values that this node has put"
                            + " here take " + own + " bytes, those of all nodes " + taken + " of " + most
                            + " (expected: at most half of what other nodes leave; free some, or put them elsewhere)");
                }
                own += more;
                taken += more;
            }
            MemoryBounds.STORED.add(more);
        }

        void giveBack(long bytes) {
            synchronized (StoredRoom.this) {
                own -= bytes;
                taken -= bytes;
            }
            MemoryBounds.STORED.add(-bytes);
        }
    }

    /** Returns the share of a peer, which is forgotten when the peer is gone; its values still take their bytes of the room. */
    Share of(PeerTables peer) {
        Share known = shares.get(peer);
        if (known != null) {
            return known;
        }
        Share made = new Share();
        Share other = shares.putIfAbsent(peer, made);
        if (other != null) {
            return other;
        }
        peer.whenEnded(() -> shares.remove(peer));
        return made;
    }

    /** The bytes that the values of all peers take. */
    synchronized long taken() {
        return taken;
    }
}
