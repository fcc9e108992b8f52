package dev.cleave.broker.registry;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Balances;
import dev.cleave.config.Bindings;
import dev.cleave.config.Dispatch;
import dev.cleave.config.MemoryBounds;
import dev.cleave.config.ServiceBinding;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Services, their replicas, and the connections that watch them.
 *
 * <p>A registration lasts while its connection does and its lease is renewed. A replica has one process at a time: a
 * newer incarnation replaces an older one, and an older one is refused. An entry exists only while a connection offers
 * or watches the service. Every change gives the service a new version, greater than any before.
 *
 * <p>One thread calls the methods; only {@link #view} may be called by any thread.
 */
public final class Registry {

    private Bindings bindings;
    private final RandomGenerator random = new Random();
    private final Duration longestLease;
    private final LongSupplier nanos;
    private final Map<String, Service> services = new TreeMap<>();
    private final Map<Party, Set<Key>> offered = new HashMap<>();
    private final Map<Party, Set<String>> watched = new HashMap<>();
    private final Map<String, ServiceView> views = new ConcurrentHashMap<>();
    private volatile Consumer<String> whenRoom = service -> {};
    private BiConsumer<Party, RegisterReplica> whenRemoved = (party, said) -> {};
    private final LostServices lost = new LostServices();
    private final Shares shares = new Shares(MemoryBounds.names());
    private long version;

    /** A replica of a service. */
    private record Key(String service, String replica) {}

    /**
     * Creates an empty registry.
     *
     * @param bindings routes and balance policies of the services that it names
     * @param longestLease the longest lease that is granted
     * @param nanos the clock; never goes back
     * @throws IllegalArgumentException if a class that is to choose replicas cannot be loaded
     */
    public Registry(Bindings bindings, Duration longestLease, LongSupplier nanos) {
        this.bindings = requireNonNull(bindings, "bindings");
        this.longestLease = requireNonNull(longestLease, "longestLease");
        this.nanos = requireNonNull(nanos, "nanos");
        check(bindings);
    }

    /**
     * Adds a replica, or replaces the registration of an earlier or the same process of the replica.
     *
     * @return the lease granted, in milliseconds
     * @throws RefusedException if a newer process of the replica is registered, if the service has another interface,
     * or     if the registry is full
     */
    public int register(Party party, RegisterReplica said) {
        Registration before = check(party, said);
        shares.take(party, Shares.of(said));
        if (before != null && before.party() != party && before.said().incarnation() < said.incarnation()) {
            before.party().displaced(said.service(), said.replica(), party.address());
        }
        Registration registration = new Registration(said, party, party.identity());
        if (before != null) {
            forget(before);
            if (before.party() == party && before.said().incarnation() == said.incarnation()) {
                registration.inherit(before);
            }
        }
        int lease = grant(said.leaseMillis());
        registration.expireAt(nanos.getAsLong() + Duration.ofMillis(lease).toNanos());
        entry(said.service()).replicas().put(said.replica(), registration);
        offered.computeIfAbsent(party, p -> new LinkedHashSet<>()).add(new Key(said.service(), said.replica()));
        changed(said.service(), said.replica());
        return lease;
    }

    /**
     * Checks whether {@link #register} would accept a replica now.
     *
     * @return the earlier registration of the replica
     * @throws RefusedException as {@link #register}
     */
    private @Nullable Registration check(Party party, RegisterReplica said) {
        Limits.check(said);
        Service service = services.get(said.service());
        checkRoom(party, said, service);
        Registration before = service == null ? null : service.replicas().get(said.replica());
        if (before != null && before.said().incarnation() > said.incarnation()) {
            throw new RefusedException(
                    ErrorCode.ALREADY_BOUND,
                    "replica " + said.replica() + " of " + said.service() + ": incarnation " + said.incarnation()
                            + " (expected: at least " + before.said().incarnation() + ", registered from "
                            + before.party().address() + ")");
        }
        if (before != null && !Objects.equals(before.identity(), party.identity())) {
            throw new RefusedException(
                    ErrorCode.ALREADY_BOUND,
                    "replica " + said.replica() + " of " + said.service() + ": registered by another identity, "
                            + before.identity());
        }
        checkInterface(said, service, before);
        return before;
    }

    /**
     * Checks whether {@link #register} would accept a replica now.
     *
     * @throws RefusedException as {@link #register}
     */
    public void admit(Party party, RegisterReplica said) {
        Registration unused = check(party, said);
    }

    /**
     * Adds a replica that is connected to another broker of the cluster, or replaces what was known of it, wherever it
     * was connected before.
     *
     * @param broker that broker
     * @param identity the identity that registered it there
     * @throws RefusedException if it cannot be a registration, or the registry is full
     */
    public void elsewhere(Party broker, RegisterReplica said, @Nullable String identity) {
        Limits.check(said);
        checkServices(said.service());
        Service service = services.get(said.service());
        Registration before = service == null ? null : service.replicas().get(said.replica());
        if (service != null && before == null) {
            Limits.most("replicas of " + said.service(), service.replicas().size() + 1, Limits.REPLICAS_PER_SERVICE);
        }
        Registration registration = new Registration(said, broker, identity);
        boolean unused = registration.become(ReplicaState.UP); // its own broker finds out otherwise
        if (before != null) {
            if (before.isHere()) {
                before.party().displaced(said.service(), said.replica(), broker.address());
            } else if (before.party().equals(broker)
                    && before.said().incarnation() == said.incarnation()
                    && before.said().endpoints().equals(said.endpoints())) {
                return;
            }
            forget(before);
        }
        entry(said.service()).replicas().put(said.replica(), registration);
        offered.computeIfAbsent(broker, p -> new LinkedHashSet<>()).add(new Key(said.service(), said.replica()));
        changed(said.service(), said.replica());
    }

    /** Removes a replica that was connected to another broker, if it is not connected here. */
    public void leftElsewhere(String service, String replica) {
        Service known = services.get(service);
        Registration registration = known == null ? null : known.replicas().get(replica);
        if (registration != null && !registration.isHere()) {
            remove(List.of(new Key(service, replica)), false);
        }
    }

    /** Sets a listener that is told of each registration over a connection to this broker that was taken back or lost. */
    public void onRemoved(BiConsumer<Party, RegisterReplica> listener) {
        whenRemoved = requireNonNull(listener, "listener");
    }

    /**
     * Removes a replica that the party offers.
     *
     * @throws RefusedException if it does not
     */
    public void unregister(Party party, String service, String replica) {
        if (!offered.getOrDefault(party, Set.of()).contains(new Key(service, replica))) {
            throw new RefusedException(
                    ErrorCode.NOT_REGISTERED,
                    "replica " + replica + " of " + service + ": not registered over this connection");
        }
        remove(List.of(new Key(service, replica)), true);
    }

    /**
     * Renews the lease of all replicas that the party offers.
     *
     * @return the lease granted, in milliseconds
     * @throws RefusedException if it offers nothing (any more)
     */
    public int renew(Party party, int leaseMillis) {
        Set<Key> keys = offered.getOrDefault(party, Set.of());
        if (keys.isEmpty()) {
            throw new RefusedException(ErrorCode.NOT_REGISTERED, "nothing is registered over this connection");
        }
        int lease = grant(leaseMillis);
        long at = nanos.getAsLong() + Duration.ofMillis(lease).toNanos();
        keys.forEach(key -> registration(key).expireAt(at));
        return lease;
    }

    /** Extends all leases: for a while the broker could hear no peer. */
    public void prolong(Duration by) {
        for (Service service : services.values()) {
            service.replicas().values().forEach(registration -> registration.prolong(by.toNanos()));
        }
    }

    /**
     * Sets for how long a service that has lost its last replica, which was not withdrawn, is expected to come back: {@link
     * #isExpected}. Before, it is not.
     */
    public void expectLost(Duration time) {
        lost.rememberFor(time);
    }

    /**
     * Whether a service that no replica serves now will probably be served again soon: its replicas are on their way to
     * another broker, or the last one was lost a short time ago. On any thread.
     */
    public boolean isExpected(String service) {
        ServiceView view = views.get(service);
        return lost.has(service) || view != null && view.isOrphaned();
    }

    /** Removes the registrations whose lease has ended. */
    public void expire() {
        long now = nanos.getAsLong();
        lost.expire(now).forEach(whenRoom);
        List<Key> ended = new ArrayList<>();
        offered.values().forEach(keys -> keys.stream()
                .filter(key -> registration(key).hasExpired(now))
                .forEach(ended::add));
        remove(ended, false);
    }

    /** Removes a connection that has ended, with all its registrations. */
    public void lost(Party party) {
        unwatchAll(party);
        remove(List.copyOf(offered.getOrDefault(party, Set.of())), false);
    }

    /**
     * Removes a connection that has ended, possibly because of the broker itself: its registrations stay for a while as
     * suspect, so that they can be renewed over another connection.
     *
     * @param most how long they stay; then {@link #expire} removes them
     */
    public void hold(Party party, Duration most) {
        unwatchAll(party);
        long until = nanos.getAsLong() + most.toNanos();
        for (Key key : List.copyOf(offered.getOrDefault(party, Set.of()))) {
            Registration registration = registration(key);
            registration.holdUntil(until);
            if (registration.become(ReplicaState.SUSPECT)) {
                changed(key.service(), key.replica());
            }
        }
    }

    /** Sets the state and load of all replicas that the party offers, as found by pings. */
    public void health(Party party, ReplicaState state, Load load) {
        for (Key key : List.copyOf(offered.getOrDefault(party, Set.of()))) {
            Registration registration = registration(key);
            registration.load(load);
            entry(key.service()).report(key.replica(), load);
            if (registration.become(state)) {
                changed(key.service(), key.replica());
            }
        }
    }

    /** Spreads relayed calls by the policies of another application file from now on; routes stay as they are. */
    public void rebalance(Bindings changed) {
        check(changed);
        bindings = changed;
        for (Map.Entry<String, Service> entry : List.copyOf(services.entrySet())) {
            Dispatch dispatch = dispatch(entry.getKey());
            boolean isTold = entry.getValue().migratesOtherwise(dispatch);
            entry.getValue().rebalance(dispatch);
            if (isTold) {
                changed(entry.getKey(), null);
            }
        }
    }

    /**
     * Sets a listener that receives, on any thread, the names of services at which a waiting relayed call may find
     * room, or need not wait any more.
     */
    public void onRoom(Consumer<String> listener) {
        whenRoom = requireNonNull(listener, "listener");
    }

    /** Says whether the party offers a replica. */
    public boolean offers(Party party) {
        return offered.containsKey(party);
    }

    /** Says whether another party would get calls of a service that the party offers. */
    public boolean hasOther(Party party) {
        for (Key key : offered.getOrDefault(party, Set.of())) {
            ServiceView view = views.get(key.service());
            if (view != null
                    && view.live().stream().anyMatch(replica -> view.parties().get(replica.name()) != party)) {
                return true;
            }
        }
        return false;
    }

    /** The parties that offer a replica of a name, in any service. */
    public Set<Party> offering(String replica) {
        Set<Party> parties = new LinkedHashSet<>();
        offered.forEach((party, keys) -> {
            if (keys.stream().anyMatch(key -> key.replica().equals(replica))) {
                parties.add(party);
            }
        });
        return parties;
    }

    /** Returns the replicas of a service. */
    public ReplicaSet lookup(String service) {
        Service known = services.get(service);
        return known == null ? ReplicaSet.unknown(service) : known.view().told();
    }

    /** Returns the replicas of a service of which a party is to be told: all, or its part if that is what it watches. */
    public ReplicaSet lookup(Party party, String service) {
        Service known = services.get(service);
        return known == null
                ? ReplicaSet.unknown(service)
                : known.watchers().of(party, known.view().told());
    }

    /**
     * Returns the replicas of a service, and calls {@link Party#changed} at every change.
     *
     * @throws RefusedException if the party or the registry has too many
     */
    public ReplicaSet watch(Party party, String service) {
        return watch(party, service, null);
    }

    /**
     * Returns some replicas of a service, and calls {@link Party#changed} when they change.
     *
     * @param client whose part of a large service it is, by name and incarnation; null for all replicas
     * @throws RefusedException if the party or the registry has too many
     */
    public ReplicaSet watch(Party party, String service, @Nullable String client) {
        Limits.name("service", service);
        Set<String> names = watched.getOrDefault(party, Set.of());
        if (!names.contains(service)) {
            Limits.most("services watched over this connection", names.size() + 1, Limits.WATCHES_PER_PARTY);
            checkServices(service);
            shares.take(party, Shares.of(service));
            watched.computeIfAbsent(party, p -> new LinkedHashSet<>()).add(service);
        }
        return entry(service).watchers().add(party, client, lookup(service));
    }

    /** Ends the watch of a party for a service, if there is one. */
    public void unwatch(Party party, String name) {
        if (!watched.getOrDefault(party, Set.of()).contains(name)) {
            return;
        }
        Service service = entry(name);
        if (service.watchers().remove(party)) {
            shares.giveBack(party, Shares.of(name));
        }
        removeFrom(watched, party, name);
        dropIfEmpty(name, service);
    }

    /** Returns all services. */
    public List<Services.Service> list() {
        long now = nanos.getAsLong();
        return services.values().stream()
                .filter(service -> !service.replicas().isEmpty())
                .map(service -> service.listed(now))
                .toList();
    }

    /** Returns a service as relayed calls need it; null if no party offers it. Any thread may call this. */
    public @Nullable ServiceView view(String service) {
        return views.get(service);
    }

    /** Says whether all tables are empty. */
    public boolean isEmpty() {
        return services.isEmpty() && offered.isEmpty() && watched.isEmpty() && views.isEmpty() && shares.isEmpty();
    }

    private void unwatchAll(Party party) {
        for (String service : Set.copyOf(watched.getOrDefault(party, Set.of()))) {
            unwatch(party, service);
        }
    }

    private void remove(List<Key> keys, boolean inWords) {
        for (Key key : keys) {
            Registration registration = registration(key);
            Service service = entry(key.service());
            service.left(key.replica(), inWords);
            if (service.replicas().isEmpty() && !inWords) {
                lost.lost(key.service(), nanos.getAsLong());
            }
            forget(registration);
            changed(key.service(), key.replica());
            if (registration.isHere()) {
                whenRemoved.accept(registration.party(), registration.said());
            }
        }
    }

    /** Removes a registration from its party. */
    private void forget(Registration registration) {
        RegisterReplica said = registration.said();
        shares.giveBack(registration.party(), Shares.of(said));
        removeFrom(offered, registration.party(), new Key(said.service(), said.replica()));
    }

    private void changed(String name, @Nullable String replica) {
        Service service = entry(name);
        service.changed(++version, replica);
        if (service.replicas().isEmpty()) {
            views.remove(name);
        } else {
            views.put(name, service.view());
            lost.forget(name); // in this order: who finds neither looks again
        }
        dropIfEmpty(name, service);
        whenRoom.accept(name); // calls may wait for a replica
    }

    private void dropIfEmpty(String name, Service service) {
        if (service.isEmpty()) {
            services.remove(name);
        }
    }

    private Service entry(String name) {
        return services.computeIfAbsent(name, n -> made(n));
    }

    private Service made(String name) {
        Service service = new Service(name, dispatch(name), random, nanos);
        service.onRoom(() -> whenRoom.accept(name));
        return service;
    }

    /** Loads the selection classes of a file now, not when the first server registers. */
    private void check(Bindings file) {
        file.services().values().stream()
                .map(ServiceBinding::dispatch)
                .filter(dispatch -> dispatch.route() == Route.RELAY)
                .forEach(dispatch -> requireNonNull(Balances.policy(dispatch.balance(), random)));
    }

    private Dispatch dispatch(String service) {
        return bindings.service(service).map(ServiceBinding::dispatch).orElse(Dispatch.DEFAULT);
    }

    private Registration registration(Key key) {
        Service service = requireNonNull(services.get(key.service()));
        return requireNonNull(service.replicas().get(key.replica()));
    }

    private int grant(int leaseMillis) {
        long most = longestLease.toMillis();
        return Math.toIntExact(leaseMillis <= 0 ? most : Math.min(leaseMillis, most));
    }

    private void checkRoom(Party party, RegisterReplica said, @Nullable Service service) {
        Key key = new Key(said.service(), said.replica());
        Set<Key> keys = offered.getOrDefault(party, Set.of());
        if (!keys.contains(key)) {
            Limits.most("replicas registered over this connection", keys.size() + 1, Limits.REGISTRATIONS_PER_PARTY);
        }
        checkServices(said.service());
        if (service != null && !service.replicas().containsKey(said.replica())) {
            Limits.most("replicas of " + said.service(), service.replicas().size() + 1, Limits.REPLICAS_PER_SERVICE);
        }
    }

    private void checkServices(String name) {
        if (!services.containsKey(name)) {
            Limits.most("services", services.size() + 1, Limits.SERVICES);
        }
    }

    /** A service has one interface; only its sole replica may come back with another. */
    private static void checkInterface(RegisterReplica said, @Nullable Service service, @Nullable Registration before) {
        String expected = service == null ? null : service.interfaceName();
        boolean alone = service != null && before != null && service.replicas().size() == 1;
        if (expected != null && !alone && !expected.equals(said.interfaceName())) {
            throw new RefusedException(
                    ErrorCode.ALREADY_BOUND,
                    "service " + said.service() + ": interface " + said.interfaceName() + " (expected: " + expected
                            + ", as its other replicas have)");
        }
    }

    private static <K, V> void removeFrom(Map<K, Set<V>> map, K key, V value) {
        Set<V> values = map.get(key);
        if (values != null && values.remove(value) && values.isEmpty()) {
            map.remove(key);
        }
    }
}
