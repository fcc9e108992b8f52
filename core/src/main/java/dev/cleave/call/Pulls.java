package dev.cleave.call;

import dev.cleave.transport.Connection;
import dev.cleave.wire.Begun;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Pull;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Holds, for both sides of a link, the services for which a side is told which calls have begun. Thread-safe. */
final class Pulls {

    private final LinkCore<?> core;
    private final Runnable flush;
    private volatile Set<String> asked = Set.of(); // services, by this side; written under this monitor, as is the next
    private volatile Set<String> asking = Set.of(); // services, by the peer

    /** {@code flush} sends what was written. */
    Pulls(LinkCore<?> core, Runnable flush) {
        this.core = core;
        this.flush = flush;
    }

    /** Asks the peer, once for each service, to tell which calls have begun, if it can. */
    void ask(String service) {
        if (core.has(FrameKind.PULL.feature()) && !asked.contains(service) && isFirstAsked(service)) {
            Connection to = core.connection();
            to.write(new Pull(service).write(to.allocator()));
        }
    }

    /** Handles that the peer asks. */
    void asked(Pull pull) {
        synchronized (this) {
            if (asking.size() < Pull.MOST) {
                asking = with(asking, pull.service());
            }
        }
    }

    /**
     * Tells the peer that a call of the peer, or of a client that it relays, begins, if the peer has asked to be told.
     */
    void begins(String service, int client, long id) {
        Set<String> known = asking;
        if (!known.isEmpty() && known.contains(service)) {
            Connection to = core.connection();
            to.write(new Begun(client, List.of(id)).write(to.allocator()));
            flush.run();
        }
    }

    private synchronized boolean isFirstAsked(String service) {
        if (asked.size() >= Pull.MOST || asked.contains(service)) {
            return false;
        }
        asked = with(asked, service);
        return true;
    }

    private static Set<String> with(Set<String> some, String one) {
        Set<String> more = new HashSet<>(some);
        more.add(one);
        return more;
    }
}
