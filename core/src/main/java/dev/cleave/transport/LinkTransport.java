package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes any transport behave as if a slower link lay between the peers. It delays the frames that its connections send
 * and receive, so only one end of a connection uses it.
 */
public final class LinkTransport implements Transport {

    private final Transport real;
    private volatile LinkProfile profile;
    private final Timer timer;
    private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates an emulated link.
     *
     * @param real moves the bytes; is closed with this transport
     * @param profile the link
     * @param timer tells when a frame arrives, best a {@linkplain dev.cleave.concurrent.SystemTimer#precise precise}
     * one; the caller closes it
     */
    public LinkTransport(Transport real, LinkProfile profile, Timer timer) {
        this.real = requireNonNull(real, "real");
        this.profile = requireNonNull(profile, "profile");
        this.timer = requireNonNull(timer, "timer");
    }

    /** Emulates another link from now on; frames that have entered the one before arrive as they would have, and in order. */
    public void change(LinkProfile other) {
        profile = requireNonNull(other, "other");
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        requireNonNull(handler, "handler");
        LinkConnection link = link(connection -> handler);
        try {
            real.connect(endpoint, link);
            return link;
        } catch (RuntimeException e) {
            connections.remove(link);
            throw e;
        }
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        requireNonNull(acceptor, "acceptor");
        return real.listen(endpoint, connection -> link(acceptor));
    }

    @Override
    public @Nullable String identity() {
        return real.identity();
    }

    @Override
    public void close() {
        closed = true;
        connections.forEach(LinkConnection::abort);
        real.close();
    }

    private LinkConnection link(Acceptor acceptor) {
        LinkConnection link = new LinkConnection(() -> profile, timer, acceptor, connections::remove, () -> closed);
        connections.add(link);
        return link;
    }
}
