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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The links that a node has dialled: one for each peer and carrier, made when it is first needed. Thread-safe.
 *
 * <p>A peer that could not be reached is not dialled again for 500 ms, so that calls go to other replicas.
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
     * Returns the link to a peer; dials if there is none.
     *
     * @throws TransportException if it cannot be reached
     */
    Link to(String endpoint) {
        return to(endpoint, Carrier.AUTO);
    }

    /**
     * Returns the link to a peer over a carrier; dials if there is none.
     *
     * @throws TransportException if the peer cannot be reached over that carrier
     */
    Link to(String endpoint, Carrier carrier) {
        String name = name(endpoint, carrier);
        Peer known = peers.get(name);
        Link link = known == null ? null : known.link;
        return link != null && !link.isClosed()
                ? link
                : dial(name, () -> new Peer(carried(Endpoint.parse(endpoint), carrier), Link::dialNode));
    }

    /**
     * Returns the link to a broker that relays calls; dials if there is none.
     *
     * @param endpoint as the broker of this node has named it
     * @throws TransportException if it cannot be reached
     */
    Link toBroker(String endpoint) {
        String name = "broker " + endpoint;
        Peer known = peers.get(name);
        Link link = known == null ? null : known.link;
        return link != null && !link.isClosed()
                ? link
                : dial(name, () -> new Peer(Endpoint.parse(endpoint), Link::dial));
    }

    /** Connects to an endpoint and greets. */
    @FunctionalInterface
    private interface Dialler {

        Link dial(Transport transport, Endpoint endpoint, LinkContext context, LinkOwner owner);
    }

    private Link dial(String name, Supplier<Peer> makes) {
        if (!peers.containsKey(name)) {
            forgetGone();
        }
        Peer peer = requireNonNull(peers.compute(name, (n, known) -> {
            Peer used = known != null ? known : makes.get();
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

    /** Removes peers that were left, and may never come back: restarted replicas have other endpoints. */
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

    /** Returns the link of {@link #to(String)} if it is there; does not dial. */
    @Nullable
    Link open(String endpoint) {
        Peer known = peers.get(name(endpoint, Carrier.AUTO));
        Link link = known == null ? null : known.link;
        return link == null || link.isClosed() ? null : link;
    }

    /** Returns a link to a peer over any carrier, if there is one; does not dial. */
    @Nullable
    Link known(String endpoint) {
        return links(endpoint).findFirst().orElse(null);
    }

    /** Returns the endpoint of the peer to which a link leads; empty if it is none of these. */
    String endpoint(Link link) {
        for (Map.Entry<String, Peer> each : peers.entrySet()) {
            if (each.getValue().link == link) {
                String name = each.getKey();
                return name.substring(name.indexOf(' ') + 1);
            }
        }
        return "";
    }

    private Stream<Link> links(String endpoint) {
        return Carrier.BUILT_IN.stream()
                .map(carrier -> peers.get(name(endpoint, carrier)))
                .filter(Objects::nonNull)
                .map(peer -> peer.link)
                .filter(link -> link != null && !link.isClosed());
    }

    private static String name(String endpoint, Carrier carrier) {
        return carrier.equals(Carrier.AUTO) ? endpoint : carrier + " " + endpoint;
    }

    /** Returns the endpoint to dial for a carrier; peers of this process have only one way. */
    private static Endpoint carried(Endpoint endpoint, Carrier carrier) {
        if (!endpoint.scheme().equals("tcp")) {
            return endpoint;
        }
        if (carrier.equals(Carrier.LOCAL)) {
            return endpoint.nearby();
        }
        return carrier.equals(Carrier.AUTO)
                ? endpoint
                : endpoint.by(carrier.equals(Carrier.TCP) ? "inet" : carrier.word());
    }

    /** Whether a peer gets no new calls because it is suspect or leaves. */
    boolean isAvoided(String endpoint) {
        return links(endpoint).anyMatch(link -> link.isSuspect() || link.isLeaving());
    }

    /** Flushes all links. */
    void flush() {
        for (Peer peer : peers.values()) {
            Link link = peer.link;
            if (link != null) {
                link.flush();
            }
        }
    }

    /** Returns the number of pending calls of all links. */
    int pendingCalls() {
        return peers.values().stream().mapToInt(Peer::pendingCalls).sum();
    }

    @Override
    public void close() {
        peers.values().forEach(Peer::close);
    }

    private final class Peer {

        private final Endpoint endpoint;
        private final Dialler dialler;
        private volatile @Nullable Link link; // written under the monitor of this
        private @Nullable TransportException failure; // guarded by this
        private volatile long failedAt; // written under this
        private int users; // threads that may dial; guarded by the entry in the map
        private boolean closed; // guarded by this

        private Peer(Endpoint endpoint, Dialler dialler) {
            this.endpoint = endpoint;
            this.dialler = dialler;
        }

        /** Whether the peer can be removed: it has no link, no thread dials it, and its failure is not recent. */
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
                        Link made = dialler.dial(transport, endpoint, context, owner);
                        link = made;
                        failure = null;
                        return made;
                    } catch (TransportException e) {
                        // A call goes on when its thread is interrupted, and so does the dial that it needs.
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
