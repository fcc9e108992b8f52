package dev.cleave.call;

import dev.cleave.wire.Begun;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Pull;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The services of which the two sides of a link tell each other which calls have begun. Thread-safe. */
final class Pulls {

    private final Link link;
    private volatile Set<String> asked = Set.of(); // the peer, by this side; written under this, as is the next
    private volatile Set<String> asking = Set.of(); // this side, by the peer

    Pulls(Link link) {
        this.link = link;
    }

    /** Asks the peer, once, if it can tell. */
    void ask(String service) {
        if (link.has(FrameKind.PULL.feature()) && !asked.contains(service) && isFirstAsked(service)) {
            link.write(new Pull(service).write(link.connection().allocator()));
        }
    }

    /** The peer asks. */
    void asked(Pull pull) {
        synchronized (this) {
            if (asking.size() < Pull.MOST) {
                asking = with(asking, pull.service());
            }
        }
    }

    /** A call of the peer, or of a client that it relays, begins: it hears of that if it has asked to. */
    void begins(String service, int client, long id) {
        Set<String> known = asking;
        if (!known.isEmpty() && known.contains(service)) {
            link.write(new Begun(client, List.of(id)).write(link.connection().allocator()));
            link.flush();
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
