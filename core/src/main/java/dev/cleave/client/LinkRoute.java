package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/**
 * The route to one node.
 *
 * @param link the link that leads there
 * @param peer the number of the node on the link; 0 if it is at the end of the link
 */
record LinkRoute(Link link, int peer) implements ServiceRoute {

    @Override
    public Hop first(Wish wish) {
        return new Hop(link, link.peer().node(), peer);
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
