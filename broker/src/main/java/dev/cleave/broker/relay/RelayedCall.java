package dev.cleave.broker.relay;

import dev.cleave.replica.Placement;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way.
 *
 * @param pair from whom to whom
 * @param clientId its number on the client's connection
 * @param serverId its number on the server's connection
 * @param placement its account at the replica, null if none is kept
 * @param kept its request, if it may move to another replica
 */
record RelayedCall(
        Pair pair,
        long clientId,
        long serverId,
        @Nullable Placement placement,
        @Nullable KeptRequest kept) {

    /** It has ended. */
    void ended() {
        pair.client().ended(this);
        left();
        if (kept != null) {
            kept.release();
        }
    }

    /** It is not there any more. */
    void left() {
        if (placement != null) {
            placement.end();
        }
    }
}
