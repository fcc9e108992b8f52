package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Expression;
import dev.cleave.call.Link;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.client.ServiceRoute.Wish;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Carrier;
import dev.cleave.ref.Target;
import dev.cleave.replica.Placement;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.Names;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import dev.cleave.wire.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A service as the broker last described it, and the choice of a replica for each call.
 *
 * <p>A broker that has lost connections may report no replica. Unless the replicas were unregistered, calls then try
 * the last known ones: that the broker does not hear them says little of the direct way to them.
 */
final class WatchedService {

    /** The longest time for which relayed calls wait for the link to the broker. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(5);

    /**
     * The time for which calls wait for replicas after the broker has reported none: they may be reconnecting to it.
     */
    private static final Duration COME_BACK = Duration.ofSeconds(2);

    /** For how long a relayed call goes to another broker than one that has sent a call elsewhere, if there is one. */
    private static final Duration FULL = Duration.ofMillis(100);

    private static final System.Logger LOG = SafeLog.of(WatchedService.class);

    private final String service;
    private final Links links;
    private final LongFunction<Optional<Link>> broker;
    private final Function<String, Link> brokers;
    private final Spread spread;
    private final CallerLine line;
    private volatile Snapshot snapshot; // written under the monitor of this
    private volatile boolean expected;
    private final Map<Link, Long> full =
            new ConcurrentHashMap<>(); // brokers that had no room, and until when that is believed
    private final AtomicBoolean saidThatItWaits = new AtomicBoolean();
    private final AtomicReferenceArray<@Nullable Only> only =
            new AtomicReferenceArray<>(Carrier.BUILT_IN.size()); // by carrier

    /**
     * A description and its replicas for new calls: computed once, read by every call.
     *
     * @param set the set that the broker has reported
     * @param live the replicas that get new calls
     * @param trusted the same set, or the last one with replicas if this has lost all and none was unregistered
     * @param since when the set was reported
     */
    private record Snapshot(ReplicaSet set, List<Replicas.Replica> live, ReplicaSet trusted, long since) {}

    /** The way of all calls while there is no choice. */
    private record Only(Snapshot of, Hop hop) {}

    /**
     * Creates a service that is not known yet.
     *
     * @param broker returns the link to the broker, which may relay the calls; waits for it for the given nanoseconds
     * @param brokers returns the link to another broker of the cluster, by its endpoint
     * @param tasks runs what sends waiting calls; rejects it once the node closes
     */
    WatchedService(
            String service,
            Links links,
            LongFunction<Optional<Link>> broker,
            Function<String, Link> brokers,
            Spread spread,
            Executor tasks) {
        this.service = requireNonNull(service, "service");
        this.links = requireNonNull(links, "links");
        this.broker = requireNonNull(broker, "broker");
        this.brokers = requireNonNull(brokers, "brokers");
        this.spread = requireNonNull(spread, "spread");
        ReplicaSet unknown = ReplicaSet.unknown(service);
        snapshot = new Snapshot(unknown, List.of(), unknown, spread.nanos());
        line = new CallerLine(spread, this::chosenHere, tasks);
        spread.onRoom(line::signal);
    }

    /** Returns the replicas among which this node chooses; none if the broker chooses. */
    private List<Replicas.Replica> chosenHere() {
        Snapshot now = snapshot;
        return now.set().route() == Route.RELAY ? List.of() : now.live();
    }

    /** Takes a description of the broker. A service that a new broker does not know yet stays as it was. */
    synchronized void update(ReplicaSet set) {
        if (set.isKnown()) {
            Snapshot before = snapshot;
            ReplicaSet trusted = set.orLastGood(before.trusted());
            boolean again = trusted != set && before.live().isEmpty();
            snapshot = new Snapshot(set, heard(set.live()), trusted, again ? before.since() : spread.nanos());
            spread.keep(snapshot.trusted());
        }
    }

    /** Updates the replicas for new calls: a peer is suspect from now on, or no longer. */
    synchronized void suspicionChanged() {
        Snapshot before = snapshot;
        snapshot = new Snapshot(before.set(), heard(before.set().live()), before.trusted(), before.since());
    }

    /** Returns the replicas that this node hears, whatever the broker hears; all if it hears none. */
    private List<Replicas.Replica> heard(List<Replicas.Replica> replicas) {
        List<Replicas.Replica> heard = replicas.stream()
                .filter(replica -> replica.endpoints().stream().noneMatch(links::isAvoided))
                .toList();
        return heard.isEmpty() ? replicas : heard;
    }

    /** Lets calls wait for the first replica from now on: the service may be bound later. */
    void expect() {
        expected = true;
    }

    String service() {
        return service;
    }

    /** The request for its replicas: a part of them, unless the policy needs all. */
    Watch watch(long id) {
        return new Watch(id, service, spread.isPartEnough());
    }

    Spread spread() {
        return spread;
    }

    /** Returns the expression that computes the key of a call from its arguments; null if no policy needs it. */
    @Nullable
    Expression key(RemoteMethod method) {
        return spread.key(method);
    }

    /** Takes the loads that connected replicas have reported, and asks them again. */
    void askLoads() {
        for (Replicas.Replica replica : snapshot.live()) {
            for (String endpoint : replica.endpoints()) {
                Link link = links.known(endpoint);
                Load load = link == null ? null : link.takeLoad();
                if (load != null) {
                    spread.report(replica.name(), load);
                }
                if (link != null) {
                    link.askLoad();
                }
            }
        }
    }

    ReplicaSet set() {
        return snapshot.set();
    }

    /** Returns the way of every new call while there is no choice; null if {@link #first} has to be asked. */
    @Nullable
    Hop only(Carrier carrier) {
        Only known = carrier.isOwn() ? null : only.get(carrier.place());
        return known != null && known.of() == snapshot && !known.hop().link().isClosed() && !spread.counts()
                ? known.hop()
                : null;
    }

    /**
     * Chooses the way of a new call. Blocks while no replica may take one more, if the call is patient.
     *
     * @throws NoHopException if there is none
     */
    Hop first(Wish wish, Carrier carrier) {
        Snapshot now = snapshot;
        if (expected && wish.isAwaited() && !now.set().isKnown() && awaitFirst(wish.patienceNanos())) {
            now = snapshot;
        }
        if (now.live().isEmpty() && mayBeRelayed(now.set())) {
            return relay(List.of(), wish.patienceNanos());
        }
        if (now.live().isEmpty()) {
            NoHopException none = new NoHopException(
                    ErrorCode.NO_REPLICA,
                    now.set().isKnown()
                            ? "no live replica (" + now.set().replicas().size() + " known, none up)"
                            : "the broker does not know the service",
                    null);
            if (now.trusted() == now.set()) {
                throw none;
            }
            try {
                return reach(heard(now.trusted().live()), null, wish.key(), carrier);
            } catch (NoHopException e) {
                if (!comesBack(now, wish.patienceNanos())) {
                    throw none;
                }
            }
            now = snapshot;
        }
        if (now.set().route() == Route.RELAY) {
            return relay(now.live(), wish.patienceNanos());
        }
        Placement placed = spread.place(now.live(), wish.key());
        if (placed == null && wish.patienceNanos() > 0) {
            links.flush(); // deferred calls have to be sent so that they end
            placed = spread.awaitRoom(() -> snapshot.live(), wish);
        }
        Hop way = reach(now.live(), placed, wish.key(), carrier);
        if (now.live().size() == 1 && !way.isCounted() && !carrier.isOwn()) {
            only.set(carrier.place(), new Only(now, way));
        }
        return way;
    }

    private boolean awaitFirst(long nanos) {
        waits(Duration.ofNanos(nanos));
        return spread.awaitLive(() -> snapshot.live(), nanos);
    }

    /** Logs that calls or lookups wait for the service to be bound: one line, however many wait. */
    void waits(Duration patience) {
        if (!patience.isNegative() && !patience.isZero() && saidThatItWaits.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "service {0} is not bound yet, waiting for it for {1} s",
                    Names.escaped(service),
                    patience.toMillis() / 1_000.0);
        }
    }

    /** Whether a broker relays the calls of a service that has lost its replicas: it knows whether one comes back. */
    private static boolean mayBeRelayed(ReplicaSet set) {
        return set.isKnown() && set.route() == Route.RELAY && !set.withdrawn();
    }

    /** Whether calls wait in a line for room at a replica: some have priorities, or the policy learns their times. */
    boolean linesUp() {
        return spread.linesUp() && snapshot.set().route() == Route.DIRECT;
    }

    /** Chooses the way of a new call; null if it waits in the line: {@link ServiceRoute#firstOrHeld}. */
    @Nullable
    Hop firstOrHeld(Wish wish, WaitingCall<Hop> held, Carrier carrier) {
        Snapshot now = snapshot;
        if (now.live().isEmpty()) {
            return first(wish, carrier);
        }
        Placement placed = line.isEmpty() ? spread.place(now.live(), wish.key()) : null;
        if (placed != null) {
            return reach(now.live(), placed, wish.key(), carrier);
        }
        links.flush(); // deferred calls have to be sent so that they end
        held.waitsIn(
                line,
                later -> later == null
                        ? first(new Wish(wish.key(), 0, wish.isAwaited()), carrier)
                        : reach(snapshot.live(), later, wish.key(), carrier));
        return line.add(held) ? null : first(wish, carrier);
    }

    /** Waits until the broker reports a replica again, while that is likely and the call has time. */
    private boolean comesBack(Snapshot lost, long patienceNanos) {
        long left = lost.since() + COME_BACK.toNanos() - spread.nanos();
        return spread.awaitLive(() -> snapshot.live(), Math.min(left, patienceNanos));
    }

    /**
     * Returns the way to one of some replicas; null if there is none.
     *
     * @param tried brokers over which the call was sent before: others are preferred
     */
    @Nullable
    Hop next(List<Replicas.Replica> candidates, Set<String> tried, Carrier carrier) {
        if (candidates.isEmpty()) {
            return null;
        }
        try {
            return snapshot.set().route() == Route.RELAY
                    ? relay(ofOthers(candidates, tried), 0)
                    : reach(heard(candidates), null, null, carrier);
        } catch (NoHopException e) {
            return null;
        }
    }

    /** Returns the replicas that are connected to brokers that were not tried; all if there is no such broker. */
    private static List<Replicas.Replica> ofOthers(List<Replicas.Replica> candidates, Set<String> tried) {
        List<Replicas.Replica> others = candidates.stream()
                .filter(replica -> !tried.contains(
                        replica.endpoints().isEmpty() ? "" : replica.endpoints().get(0)))
                .toList();
        return others.isEmpty() ? candidates : others;
    }

    /**
     * Returns the way to a replica that a call was moved to; null if it is unknown or cannot be reached. A relayed call goes to the
     * broker to which the replica is connected, or to any other.
     */
    @Nullable
    Hop to(String replica, Carrier carrier) {
        Snapshot now = snapshot;
        if (now.set().route() == Route.RELAY) {
            List<Replicas.Replica> known = now.live().stream()
                    .filter(live -> live.name().equals(replica))
                    .toList();
            try {
                return relay(known.isEmpty() ? now.live() : known, 0);
            } catch (NoHopException e) {
                return null;
            }
        }
        for (Replicas.Replica live : now.live()) {
            if (live.name().equals(replica)) {
                try {
                    return reach(List.of(live), spread.placeAt(live), null, carrier);
                } catch (NoHopException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** Handles that the broker at the end of a way has sent a call elsewhere, since it had no room for it. */
    void isFull(Hop way) {
        if (way.replica() == null) {
            long now = spread.nanos();
            full.values().removeIf(until -> until - now <= 0);
            full.put(way.link(), now + FULL.toNanos());
        }
    }

    private boolean isFull(Link link) {
        Long until = full.get(link);
        return until != null && until - spread.nanos() > 0;
    }

    /** Returns a live replica, as the balance policy chooses. */
    Replicas.Replica anyLive() {
        List<Replicas.Replica> live = snapshot.live();
        if (live.isEmpty()) {
            throw new NoHopException(ErrorCode.NO_REPLICA, "no live replica", null);
        }
        Placement placed = spread.placeAnyway(live, null);
        placed.end();
        return placed.replica();
    }

    /** Returns the way to the replica that has an object; null if none has it, or it cannot be reached. */
    @Nullable
    Hop near(Target object, Carrier carrier) {
        Snapshot now = snapshot;
        if (now.set().route() != Route.RELAY) {
            return to(object.node(), carrier);
        }
        PeerTables peer = object.peer();
        boolean isReplica = now.live().stream().anyMatch(live -> live.name().equals(object.node()));
        return peer != null && peer.peer() != 0 && isReplica ? new Hop(peer.link(), null, peer.peer()) : null;
    }

    /** Returns a way to the same incarnation of the peer at the end of a broken way: {@link ServiceRoute#again}. */
    @Nullable
    Hop again(Hop broken, Carrier carrier, long remainingNanos) {
        if (remainingNanos <= 0) {
            return null;
        }
        if (broken.replica() == null) {
            String other = links.endpoint(broken.link());
            Link link = other.isEmpty() ? linkToBroker(remainingNanos) : reached(other);
            return link != null && isSame(link, broken) ? new Hop(link, null) : null;
        }
        for (Replicas.Replica known : snapshot.trusted().replicas()) {
            if (known.name().equals(broken.replica())) {
                Hop way = reach(List.of(known), spread.placeAt(known), null, carrier);
                if (isSame(way.link(), broken)) {
                    return way;
                }
                way.leave();
            }
        }
        return null;
    }

    private @Nullable Link reached(String endpoint) {
        try {
            return brokers.apply(endpoint);
        } catch (TransportException e) {
            return null;
        }
    }

    /** Whether a live replica of the service is at the end of a link. */
    boolean leadsOver(Link link) {
        Snapshot now = snapshot;
        String endpoint = now.set().route() == Route.RELAY ? "" : links.endpoint(link);
        return !endpoint.isEmpty()
                && now.live().stream().anyMatch(replica -> replica.endpoints().contains(endpoint));
    }

    /** Returns where the peer at the end of a link was dialled; empty if this node has not dialled it as a server. */
    String endpoint(Link link) {
        return links.endpoint(link);
    }

    private static boolean isSame(Link link, Hop broken) {
        return link.peer().incarnation() == broken.link().peer().incarnation();
    }

    /** Whether a call that is on a way might be served by another replica. */
    boolean hasOther(Hop than) {
        return than.replica() != null
                && snapshot.live().stream().anyMatch(replica -> !replica.name().equals(than.replica()));
    }

    /** Whether a call may be hedged while it is on a way. */
    boolean canHedge(Hop on) {
        return on.replica() != null
                ? hasOther(on)
                : on.link().has(Hello.HEDGES) && snapshot.live().size() > 1;
    }

    /** Says whether a call that is not idempotent can ever be sent again. */
    boolean hasChoice() {
        return snapshot.live().size() > 1;
    }

    /** Returns the link to the broker; null if it does not open in time. */
    private @Nullable Link linkToBroker(long patienceNanos) {
        return broker.apply(Math.min(patienceNanos, MOST_WAIT.toNanos())).orElse(null);
    }

    /**
     * Returns the way to a broker to which one of some replicas is connected, which is to relay the call: so it crosses one
     * broker. A broker that cannot be reached is passed over, and one that has sent a call elsewhere a moment ago if there is
     * another one.
     */
    private Hop relay(List<Replicas.Replica> candidates, long patienceNanos) {
        List<Replicas.Replica> left = candidates;
        Link fallback = null;
        while (left.stream().anyMatch(replica -> !replica.endpoints().isEmpty())) {
            Replicas.Replica chosen = left.get(spread.next(left.size()));
            boolean isHere = chosen.endpoints().isEmpty(); // connected to the broker of this node
            Link found = isHere
                    ? linkToBroker(patienceNanos)
                    : reached(chosen.endpoints().get(0));
            if (found != null && !isFull(found)) {
                return new Hop(found, null);
            }
            fallback = found == null ? fallback : found;
            left = left.stream()
                    .filter(replica -> !replica.endpoints().equals(chosen.endpoints()))
                    .toList();
        }
        boolean isOwnLeft = fallback == null || !left.isEmpty();
        Link link = isOwnLeft ? linkToBroker(patienceNanos) : fallback;
        if (link == null || isOwnLeft && fallback != null && isFull(link)) {
            link = fallback;
        }
        if (link == null) {
            throw new NoHopException(ErrorCode.CONNECTION_LOST, "no connection to the broker", null);
        }
        return new Hop(link, null);
    }

    /** Reaches the first candidate, in the order of the balance policy, that can be connected. */
    private Hop reach(
            List<Replicas.Replica> candidates, @Nullable Placement first, @Nullable Object key, Carrier carrier) {
        List<Replicas.Replica> left = candidates;
        TransportException last = null;
        Placement placed = first;
        while (placed != null || !left.isEmpty()) {
            if (placed == null) {
                placed = spread.placeAnyway(left, key);
            }
            Replicas.Replica replica = placed.replica();
            for (String endpoint : replica.endpoints()) {
                try {
                    return new Hop(links.to(endpoint, carrier), replica.name(), 0, placed);
                } catch (TransportException e) {
                    last = last != null && last.wasReached() ? last : e;
                }
            }
            placed.end();
            placed = null;
            left = new ArrayList<>(left);
            left.remove(replica);
        }
        throw new NoHopException(
                ErrorCode.NO_REPLICA,
                "no replica of " + service + " can be reached" + (last == null ? "" : ": " + last.getMessage()),
                last);
    }
}
