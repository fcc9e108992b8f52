package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/** The route to the node at the end of one link. */
record LinkRoute(Link link) implements ServiceRoute {

    @Override
    public Hop first(Wish wish) {
        return new Hop(link, link.peer().node());
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
