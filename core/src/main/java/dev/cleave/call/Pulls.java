package dev.cleave.call;

import dev.cleave.wire.Begun;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Pull;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The services of which the two sides of a link tell each other which calls have begun. Thread-safe. */
final class Pulls {

    private final Link link;
    private final Set<String> asked = ConcurrentHashMap.newKeySet(0); // the peer, by this side
    private final Set<String> asking = ConcurrentHashMap.newKeySet(0); // this side, by the peer

    Pulls(Link link) {
        this.link = link;
    }

    /** Asks the peer, once, if it can tell. */
    void ask(String service) {
        if (link.has(Hello.PULL) && asked.size() < Pull.MOST && asked.add(service)) {
            link.write(new Pull(service).write(link.connection().allocator()));
        }
    }

    /** The peer asks. */
    void asked(Pull pull) {
        if (asking.size() < Pull.MOST) {
            asking.add(pull.service());
        }
    }

    /** A call of the peer, or of a client that it relays, begins: it hears of that if it has asked to. */
    void begins(String service, int client, long id) {
        if (!asking.isEmpty() && asking.contains(service)) {
            link.write(new Begun(client, List.of(id)).write(link.connection().allocator()));
            link.flush();
        }
    }
}
