package dev.cleave.transport;

import org.jspecify.annotations.Nullable;

/**
 * The other side of a connection, as its HELLO describes it.
 *
 * @param node the name of the process, for messages
 * @param incarnation differs between two runs of the same node
 * @param version the protocol version that both sides speak
 * @param features the features that both sides have
 * @param identity the identity that it has proved; null if it was not asked to
 */
public record Peer(
        String node,
        long incarnation,
        int version,
        long features,
        @Nullable String identity) {

    /** Returns the name of the peer for log lines: its identity, or else the name that it gave itself. */
    public String shown() {
        return identity == null ? node : identity;
    }

    /** A peer that was not asked for an identity. */
    public Peer(String node, long incarnation, int version, long features) {
        this(node, incarnation, version, features, null);
    }
}
