package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Reference;
import org.jspecify.annotations.Nullable;

/**
 * The one object that a stub calls. Two targets are equal if they are the same object, whatever the connection to it.
 */
public final class Target {

    private final RemoteInterface contract;
    private final Reference reference;
    private final Reference.Number number;
    private final @Nullable PeerTables peer;
    private final String lost;

    /**
     * Creates a target.
     *
     * @param number the number of the object at the peer
     * @param peer the peer that receives the calls; null if there is no connection
     * @param lost why there is none
     */
    Target(
            RemoteInterface contract,
            Reference reference,
            Reference.Number number,
            @Nullable PeerTables peer,
            String lost) {
        this.contract = requireNonNull(contract, "contract");
        this.reference = requireNonNull(reference, "reference");
        this.number = requireNonNull(number, "number");
        this.peer = peer;
        this.lost = requireNonNull(lost, "lost");
    }

    /** The interface through which it is called. */
    public RemoteInterface contract() {
        return contract;
    }

    /** The number of the object at the peer. */
    public Reference.Number number() {
        return number;
    }

    /** The name of the node that has it. */
    public String node() {
        return reference.owner().node();
    }

    /** The peer that receives its calls, or null if there is no connection any more. */
    public @Nullable PeerTables peer() {
        return peer == null || peer.isEnded() ? null : peer;
    }

    /** Why there is no connection. */
    public String lost() {
        return lost;
    }

    Reference reference() {
        return reference;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Target target
                && reference.object().equals(target.reference.object())
                && contract.type() == target.contract.type();
    }

    @Override
    public int hashCode() {
        return reference.object().hashCode();
    }

    @Override
    public String toString() {
        return contract.type().getSimpleName() + " of node " + node() + " #"
                + Long.toHexString(reference.object().low());
    }
}
