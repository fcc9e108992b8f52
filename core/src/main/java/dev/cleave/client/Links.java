package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Carrier;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The links that a node has dialled: one for each peer and what carries the frames, made when it is first needed. Thread-safe.
 *
 * <p>A peer that could not be reached is not dialled again for a moment, so that calls that have another replica go there.
 */
final class Links implements AutoCloseable {

    private static final long REST_NANOS = Duration.ofMillis(500).toNanos();

    private final Transport transport;
    private final LinkContext context;
    private final LinkOwner owner;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();

    Links(Transport transport, LinkContext context, LinkOwner owner) {
        this.transport = requireNonNull(transport, "transport");
        this.context = requireNonNull(context, "context");
        this.owner = requireNonNull(owner, "owner");
    }

    /**
     * The link to a peer; dials it if there is none.
     *
     * @throws TransportException if it cannot be reached
     */
    Link to(String endpoint) {
        return to(endpoint, Carrier.AUTO);
    }

    /**
     * The link to a peer on which something carries the frames; dials it if there is none.
     *
     * @throws TransportException if it cannot be reached so
     */
    Link to(String endpoint, Carrier carrier) {
        String name = name(endpoint, carrier);
        Peer known = peers.get(name);
        Link link = known == null ? null : known.link;
        return link != null && !link.isClosed() ? link : dial(name, endpoint, carrier);
    }

    private Link dial(String name, String endpoint, Carrier carrier) {
        if (!peers.containsKey(name)) {
            forgetGone();
        }
        Peer peer = requireNonNull(peers.compute(name, (n, known) -> {
            Peer used = known != null ? known : new Peer(carried(Endpoint.parse(endpoint), carrier));
            used.users++;
            return used;
        }));
        try {
            return peer.dial(context.timer());
        } finally {
            peers.computeIfPresent(name, (n, used) -> {
                used.users--;
                return used;
            });
        }
    }

    /** Peers that were left, and may never come back: replicas that start anew have other endpoints. */
    private void forgetGone() {
        long now = context.timer().nanos();
        for (String name : peers.keySet()) {
            peers.computeIfPresent(name, (n, peer) -> peer.isGone(now) ? null : peer);
        }
    }

    /** How many peers are known. */
    int peers() {
        return peers.size();
    }

    /** A link to a peer, if there is one; dials nobody. */
    @Nullable
    Link known(String endpoint) {
        return links(endpoint).findFirst().orElse(null);
    }

    private Stream<Link> links(String endpoint) {
        return Arrays.stream(Carrier.values())
                .map(carrier -> peers.get(name(endpoint, carrier)))
                .filter(Objects::nonNull)
                .map(peer -> peer.link)
                .filter(link -> link != null && !link.isClosed());
    }

    private static String name(String endpoint, Carrier carrier) {
        return carrier == Carrier.AUTO ? endpoint : carrier + " " + endpoint;
    }

    /** Where a peer is dialled so that something carries the frames; those of this process have no other way. */
    private static Endpoint carried(Endpoint endpoint, Carrier carrier) {
        if (!endpoint.scheme().equals("tcp")) {
            return endpoint;
        }
        return switch (carrier) {
            case AUTO -> endpoint;
            case TCP -> endpoint.by("inet");
            case UNIX -> endpoint.by("unix");
            case UDP -> endpoint.by("udp");
            case LOCAL -> endpoint.nearby();
        };
    }

    /** Whether a peer to which there is a link is to get no new calls: nothing has been heard of it for long, or it leaves. */
    boolean isAvoided(String endpoint) {
        return links(endpoint).anyMatch(link -> link.isSuspect() || link.isLeaving());
    }

    /** Sends what was deferred, to all. */
    void flush() {
        for (Peer peer : peers.values()) {
            Link link = peer.link;
            if (link != null) {
                link.flush();
            }
        }
    }

    /** All links that stand. */
    int pendingCalls() {
        return peers.values().stream().mapToInt(Peer::pendingCalls).sum();
    }

    @Override
    public void close() {
        peers.values().forEach(Peer::close);
    }

    private final class Peer {

        private final Endpoint endpoint;
        private volatile @Nullable Link link; // written under this
        private @Nullable TransportException failure; // guarded by this
        private volatile long failedAt; // written under this
        private int users; // threads that may dial; guarded by the entry in the map
        private boolean closed; // guarded by this

        private Peer(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        /** Says whether it is of no use any more: it has no link, no thread makes one, its failure is not recent. */
        private boolean isGone(long now) {
            Link known = link;
            return users == 0 && (known == null || known.isClosed()) && now - failedAt >= REST_NANOS;
        }

        private synchronized Link dial(Timer clock) {
            Link known = link;
            if (known != null && !known.isClosed()) {
                return known;
            }
            if (closed) {
                throw new TransportException(endpoint + ": this node is closed", null);
            }
            TransportException last = failure;
            if (last != null && clock.nanos() - failedAt < REST_NANOS) {
                throw new TransportException(String.valueOf(last.getMessage()), last);
            }
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        Link made = Link.dial(transport, endpoint, context, owner);
                        link = made;
                        failure = null;
                        return made;
                    } catch (TransportException e) {
                        // A call goes on when its thread is interrupted, and so does what it needs.
                        if (!Thread.interrupted()) {
                            failure = e;
                            failedAt = clock.nanos();
                            throw e;
                        }
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private int pendingCalls() {
            Link known = link;
            return known == null ? 0 : known.pendingCalls();
        }

        private synchronized void close() {
            closed = true;
            Link known = link;
            if (known != null) {
                known.close();
            }
        }
    }
}
