package dev.cleave.server;

import dev.cleave.call.Link;
import java.security.Principal;

/** Says who makes the calls that come over a link: the one place that decides about the identity of a caller. */
final class Callers {

    private Callers() {}

    /**
     * The caller of calls over a link.
     *
     * @param peer the relayed client, or 0
     */
    static Principal of(Link link, int peer) {
        String node = link.peer().node();
        return new Named(peer == 0 ? node : node + "/" + peer);
    }

    /** A name that the peer has given itself. */
    private record Named(String name) implements Principal {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
