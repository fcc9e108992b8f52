package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.FrameTable;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.replica.Rendezvous;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Load;
import dev.cleave.wire.Names;
import dev.cleave.wire.Welcome;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that a node knows: those that its options name, until one of a cluster has told it of all ({@link Welcome}).
 *
 * <p>Each node prefers the brokers in an order of its own ({@link Rendezvous}). It has a link to the first, and one that
 * stands by to the second. When the first link breaks, the second takes its place at once. When a broker leaves, or one
 * that is preferred comes, the node moves; calls in flight end over the old link. The last list is kept while no broker
 * answers. Thread-safe.
 */
final class Brokers implements Supplier<Link>, AutoCloseable {

    /** How long calls in flight over a link that was left have until it closes. */
    static final Duration RETIRE = Duration.ofSeconds(30);

    /** The longest random time before a node moves to a broker that it prefers: all nodes hear of it at once. */
    static final Duration SPREAD = Duration.ofSeconds(2);

    /** How long a node stays at the broker that answered first, at least: then it moves to the one that it prefers. */
    static final Duration SETTLE = Duration.ofSeconds(2);

    /** How long a registration waits at most until the node has moved to the broker that it prefers. */
    static final Duration MOST_SETTLING = Duration.ofSeconds(2);

    private static final Duration LAST_DIAL = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final long REST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final System.Logger LOG = SafeLog.of(Brokers.class);

    private final Transport transport;
    private final List<Endpoint> seeds;
    private final LinkContext context;
    private final Dialled owner;
    private final RandomGenerator random;
    private final Map<Link, String> ids = new ConcurrentHashMap<>(); // the broker at the end of each open link
    private final Map<String, Long> failedAt = new ConcurrentHashMap<>(); // by id
    private final AtomicReference<@Nullable Link> standby = new AtomicReference<>();
    private final AtomicBoolean arranging = new AtomicBoolean();
    private volatile List<Welcome.Broker> known = List.of();
    private volatile @Nullable BrokerSession session;
    private volatile boolean closed;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final Duration settle;
    private volatile long servedAt;
    private volatile boolean isSettled; // it has registered: it moves when it can

    /** The owner of the links that are dialled here, which knows them before their first frame. */
    private record Dialled(LinkOwner node, Set<Link> links) implements LinkOwner {

        private Dialled(LinkOwner node) {
            this(requireNonNull(node, "owner"), ConcurrentHashMap.newKeySet());
        }

        @Override
        public FrameTable<Link> frames() {
            return node.frames();
        }

        @Override
        public void onOpened(Link link) {
            links.add(link);
            node.onOpened(link);
        }

        @Override
        public void onFailure(Link link, ByteBuf frame) {
            node.onFailure(link, frame);
        }

        @Override
        public void onSuspicion(Link link) {
            node.onSuspicion(link);
        }

        @Override
        public void onClosed(Link link, @Nullable Throwable cause) {
            links.remove(link);
            node.onClosed(link, cause);
        }

        @Override
        public Load load() {
            return node.load();
        }
    }

    Brokers(Transport transport, List<Endpoint> seeds, LinkContext context, LinkOwner owner, RandomGenerator random) {
        this.transport = requireNonNull(transport, "transport");
        this.seeds = List.copyOf(seeds);
        this.context = requireNonNull(context, "context");
        this.owner = new Dialled(owner);
        this.random = requireNonNull(random, "random");
        settle = SETTLE.plus(spread());
    }

    /** Arranges the links of a session from now on. */
    void serve(BrokerSession served) {
        servedAt = context.timer().nanos();
        session = served;
        served.beforeFirstRegistration(this::settleNow);
    }

    /**
     * Moves the session to the preferred broker at once, if the brokers are known, and waits for that for {@link #MOST_SETTLING}: what
     * the node is about to register is written into the store once, and not again when the node moves.
     */
    private void settleNow() {
        isSettled = true;
        BrokerSession served = session;
        Link current = served == null ? null : served.link().orElse(null);
        if (current == null
                || known.size() < 2
                || idOf(current).equals(ranked().get(0).id())) {
            return;
        }
        beginToArrange();
        awaitArranged(MOST_SETTLING);
    }

    /** Waits until no thread arranges the links any more, for a time at most. An interrupt ends the wait. */
    private void awaitArranged(Duration most) {
        long until = System.nanoTime() + most.toNanos();
        boolean interrupted = false;
        synchronized (arranging) {
            while (arranging.get() && System.nanoTime() - until < 0) {
                try {
                    arranging.wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
                } catch (InterruptedException e) {
                    interrupted = true;
                    break;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** All brokers of the cluster, as the last broker that answered knows them; none if there is no cluster. */
    List<Welcome.Broker> known() {
        return known;
    }

    /** The id of the broker to which the session is connected. */
    Optional<String> current() {
        BrokerSession served = session;
        return served == null ? Optional.empty() : served.link().map(this::idOf).filter(id -> !id.isEmpty());
    }

    /**
     * Returns a link to a broker: the one that stands by, else one to the first of all known that answers.
     *
     * @throws TransportException if none can be reached; that of the last one
     */
    @Override
    public Link get() {
        Link ready = standby.getAndSet(null);
        if (ready != null && !ready.isClosed()) {
            arrangeAfter(Duration.ofMillis(200));
            return ready;
        }
        TransportException last = null;
        for (Endpoint endpoint : candidates()) {
            try {
                return dial(endpoint);
            } catch (TransportException e) {
                last = e;
            }
        }
        throw last != null ? last : new TransportException("no broker is known", null);
    }

    /**
     * Returns a link to a broker that relays calls: one of the session's, if it leads there; null if there is none.
     *
     * @param endpoint as the broker tells it
     */
    @Nullable
    Link linked(String endpoint) {
        for (Welcome.Broker broker : known) {
            if (broker.endpoint().equals(endpoint)) {
                return ids.entrySet().stream()
                        .filter(each -> each.getValue().equals(broker.id())
                                && !each.getKey().isClosed()
                                && !each.getKey().isLeaving())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    /** Takes the list of a broker, and no other peer's: nodes dial what it names. On the event thread. */
    void onWelcome(Link from, Welcome said) {
        if (!owner.links.contains(from)) {
            return;
        }
        ids.keySet().removeIf(Link::isClosed);
        ids.put(from, said.self());
        if (!said.brokers().isEmpty()) { // a broker that has not read the store knows of none
            boolean isNews = !said.brokers().equals(known);
            known = said.brokers();
            if (known.size() > 1 && ticking.compareAndSet(false, true)) {
                tick();
            }
            if (isNews || said.leaves()) {
                arrangeAfter(said.leaves() ? Duration.ofMillis(1) : spread());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        awaitArranged(LAST_DIAL); // else it dials over a transport that has been closed
        ids.keySet().forEach(Link::close);
        Link ready = standby.getAndSet(null);
        if (ready != null) {
            ready.close();
        }
    }

    private Duration spread() {
        return Duration.ofMillis(random.nextLong(SPREAD.toMillis()) + 1);
    }

    private void arrangeAfter(Duration time) {
        if (!closed) {
            context.timer().schedule(time, this::beginToArrange);
        }
    }

    /** Looks from time to time whether all is as wished, while there are several brokers. */
    private void tick() {
        try {
            if (!isAsWished()) {
                beginToArrange();
            }
        } finally { // also after an Error
            if (!closed) {
                context.timer().schedule(LOOK, this::tick);
            }
        }
    }

    private void beginToArrange() {
        if (closed || known.isEmpty() || !arranging.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread thread = new Thread(
                    this::arrange, "cleave-brokers-" + context.hello().node());
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) { // no memory for a thread
            arranging.set(false);
            throw e;
        }
    }

    /** Whether the session is at the preferred broker of several, and a link to another stands by. */
    private boolean isAsWished() {
        BrokerSession served = session;
        Link current = served == null ? null : served.link().orElse(null);
        Link ready = standby.get();
        if (current == null || ready == null || ready.isClosed() || known.size() < 2) {
            return false;
        }
        String at = idOf(current);
        return at.equals(ranked().get(0).id())
                && !at.equals(idOf(ready))
                && known.stream().anyMatch(broker -> broker.id().equals(idOf(ready)));
    }

    /** Moves the session to the broker that this node prefers, and makes the link that stands by. */
    private void arrange() {
        try {
            arrangeLinks();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "brokers", e);
        } finally {
            synchronized (arranging) {
                arranging.set(false);
                arranging.notifyAll();
            }
        }
    }

    private void arrangeLinks() {
        BrokerSession served = session;
        Link current = served == null ? null : served.link().orElse(null);
        if (served == null || current == null || closed) {
            return;
        }
        List<Welcome.Broker> order = ranked();
        String at = ids.get(current);
        if (at == null || order.isEmpty()) {
            return; // it has not said which one it is
        }
        boolean stays = !isSettled
                && place(order, at) < order.size()
                && context.timer().nanos() - servedAt < settle.toNanos(); // commands end before they move
        int place = stays ? 0 : place(order, at);
        for (int i = 0; i < place; i++) {
            Link better = linkTo(order.get(i));
            if (better != null) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "moves to broker {0} at {1}",
                        Names.shown(order.get(i).id()),
                        Names.shown(order.get(i).endpoint()));
                boolean stoodBy = standby.compareAndSet(better, null);
                LOG.log(System.Logger.Level.DEBUG, "the broker stood by: {0}", stoodBy);
                served.move(better);
                retire(current);
                place = i;
                at = order.get(i).id();
                break;
            }
        }
        standBy(order, at);
    }

    private void standBy(List<Welcome.Broker> order, String first) {
        Link ready = standby.get();
        boolean isGood = ready != null
                && !ready.isClosed()
                && !idOf(ready).equals(first)
                && place(order, idOf(ready)) < order.size();
        if (isGood) {
            return;
        }
        for (Welcome.Broker broker : order) {
            if (!broker.id().equals(first)) {
                Link made = linkTo(broker);
                if (made != null) {
                    Link before = standby.getAndSet(made);
                    if (before != null && before != made) {
                        retire(before);
                    }
                    return;
                }
            }
        }
    }

    private String idOf(Link link) {
        return ids.getOrDefault(link, "");
    }

    /** Returns an open link to a broker, or makes one; null if it cannot be reached, or could not a moment ago. */
    private @Nullable Link linkTo(Welcome.Broker broker) {
        Link ready = standby.get();
        if (ready != null && !ready.isClosed() && idOf(ready).equals(broker.id())) {
            return ready;
        }
        Long failed = failedAt.get(broker.id());
        if (closed || failed != null && context.timer().nanos() - failed < REST_NANOS) {
            return null;
        }
        try {
            Link made = dial(Endpoint.parse(broker.endpoint()));
            ids.putIfAbsent(made, broker.id());
            failedAt.remove(broker.id());
            return made;
        } catch (TransportException | IllegalArgumentException e) {
            failedAt.keySet().retainAll(known.stream().map(Welcome.Broker::id).toList());
            failedAt.put(broker.id(), context.timer().nanos());
            LOG.log(System.Logger.Level.DEBUG, "broker {0}: {1}", Names.shown(broker.id()), e.getMessage());
            return null;
        } catch (RejectedExecutionException e) { // the node is closing
            return null;
        }
    }

    private Link dial(Endpoint endpoint) {
        return Link.dial(transport, endpoint, context, owner);
    }

    /** Closes a link when its calls have had time to end. */
    private void retire(Link old) {
        context.timer().schedule(RETIRE, () -> {
            if (old.pendingCalls() > 0 && !old.isClosed() && !closed) {
                retire(old);
            } else {
                ids.remove(old);
                old.close();
            }
        });
    }

    private List<Welcome.Broker> ranked() {
        return Rendezvous.rank(context.hello().node(), known, Welcome.Broker::id);
    }

    /** The place of a broker in an order; behind all if it is not there. */
    private static int place(List<Welcome.Broker> order, String id) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).id().equals(id)) {
                return i;
            }
        }
        return order.size();
    }

    /** The endpoints to dial, in order: the brokers that were told of, then those that the options name, at random. */
    private Set<Endpoint> candidates() {
        Set<Endpoint> all = new LinkedHashSet<>();
        for (Welcome.Broker broker : ranked()) {
            try {
                all.add(Endpoint.parse(broker.endpoint()));
            } catch (IllegalArgumentException e) {
                LOG.log(System.Logger.Level.DEBUG, "told of a broker that cannot be dialled", e);
            }
        }
        List<Endpoint> named = new ArrayList<>();
        seeds.forEach(seed -> named.addAll(addresses(seed)));
        if (named.size() > 1) {
            Collections.shuffle(named, new Random(random.nextLong()));
        }
        all.addAll(named);
        return all;
    }

    /** Returns an endpoint for each address that a name has in DNS; the endpoint itself if there is one. */
    private static List<Endpoint> addresses(Endpoint seed) {
        if (!seed.scheme().equals("tcp")) {
            return List.of(seed);
        }
        try {
            InetAddress[] all = InetAddress.getAllByName(seed.host());
            List<Endpoint> endpoints = new ArrayList<>();
            for (InetAddress each : all) {
                if (!each.isLoopbackAddress()) {
                    endpoints.add(new Endpoint(seed.scheme(), Endpoint.hostOf(each), seed.port(), seed.identity()));
                }
            }
            return endpoints.size() > 1 ? endpoints : List.of(seed);
        } catch (UnknownHostException e) {
            return List.of(seed); // dialling says so
        }
    }
}
