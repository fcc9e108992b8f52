package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Reference;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Held;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one object that a stub calls. Two targets are equal if they are the same object, whatever the connection to it.
 */
public final class Target {

    private final RemoteInterface contract;
    private final Reference reference;
    private final Reference.Number number;
    private final @Nullable Supplier<PeerTables> again;
    private volatile @Nullable PeerTables peer; // written under the lock of this
    private volatile @Nullable Object kept;
    private volatile @Nullable TransportException failure; // written under the lock of this
    private volatile String lost; // written under the lock of this

    /**
     * Creates a target.
     *
     * @param number the number of the object at the peer
     * @param peer the peer that receives the calls; null if there is no connection
     * @param lost why there is none
     * @param again connects to the peer again; null if its calls fail for good when the connection has ended
     */
    Target(
            RemoteInterface contract,
            Reference reference,
            Reference.Number number,
            @Nullable PeerTables peer,
            String lost,
            @Nullable Supplier<PeerTables> again) {
        this.again = again;
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
        PeerTables known = peer;
        return known != null && !known.isEnded() ? known : again == null ? null : redialled(again);
    }

    private synchronized @Nullable PeerTables redialled(Supplier<PeerTables> dialler) {
        PeerTables known = peer;
        if (known != null && !known.isEnded()) {
            return known;
        }
        try {
            PeerTables fresh = dialler.get();
            if (known != null) {
                giveBack(fresh, number, -1); // the peer has forgotten that this node holds the object
            }
            peer = fresh;
            return fresh;
        } catch (TransportException e) {
            lost = String.valueOf(e.getMessage());
            failure = e;
            return null;
        }
    }

    /** Releases an object that has arrived and is not held. */
    static void giveBack(PeerTables to, Reference.Number number, int times) {
        if (!to.isEnded()) {
            Held held = new Held(to.peer(), number.high(), number.low(), -times);
            to.link().write(held.write(to.link().connection().allocator()));
            to.link().flushSoon();
        }
    }

    /** Why the last attempt to connect again has failed; null if there was none. */
    public @Nullable TransportException failure() {
        return failure;
    }

    /** Keeps an object alive for as long as the target. */
    public void keep(Object other) {
        kept = other;
    }

    /** The object that it keeps alive, or null. */
    public @Nullable Object kept() {
        return kept;
    }

    /** Why there is no connection. */
    public String lost() {
        return lost;
    }

    /** The reference to the object. */
    public Reference reference() {
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
