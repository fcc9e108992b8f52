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
 */
record RelayedCall(
        Pair pair, long clientId, long serverId, @Nullable Placement placement) {

    /** It is not there any more. */
    void ended() {
        pair.client().ended(this);
        if (placement != null) {
            placement.end();
        }
    }
}
