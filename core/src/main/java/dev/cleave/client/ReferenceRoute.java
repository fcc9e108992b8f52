package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.PeerTables;
import dev.cleave.ref.Target;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The route to an object, which has no other replica. */
final class ReferenceRoute implements ServiceRoute {

    private final Target target;

    ReferenceRoute(Target target) {
        this.target = requireNonNull(target, "target");
    }

    @Override
    public Hop first(Wish wish) {
        PeerTables peer = target.peer();
        if (peer == null) {
            throw new NoHopException(ErrorCode.CONNECTION_LOST, target.lost(), target.failure());
        }
        return new Hop(peer.link(), target.node(), peer.peer());
    }

    @Override
    public @Nullable Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos) {
        return null;
    }

    @Override
    public boolean hasChoice() {
        return false;
    }
}
