package dev.cleave.broker.registry;

import dev.cleave.call.Balances;
import dev.cleave.config.Balance;
import dev.cleave.config.Dispatch;
import dev.cleave.replica.BalancePolicies;
import dev.cleave.replica.BalancePolicy;
import dev.cleave.replica.Balancer;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Load;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One service: its replicas, and the connections that watch it. */
final class Service {

    private final String name;
    private Dispatch dispatch;
    private final RandomGenerator random;
    private final Balancer balancer;
    private final Map<String, Registration> replicas = new TreeMap<>();
    private final Watchers watchers = new Watchers();
    private ServiceView view;
    private boolean withdrawn;

    Service(String name, Dispatch dispatch, RandomGenerator random, LongSupplier nanos) {
        this.name = name;
        this.dispatch = dispatch;
        this.random = random;
        this.balancer = new Balancer(policy(dispatch.balance()), nanos);
        this.view = ServiceView.of(ReplicaSet.unknown(name), Map.of(), balancer, false);
    }

    /** Spreads and moves calls by other settings from now on; the route stays. */
    void rebalance(Dispatch next) {
        boolean isOther = !next.balance().equals(dispatch.balance());
        dispatch = dispatch.with(next.balance()).migrating(next.migrate());
        if (isOther) {
            balancer.change(policy(next.balance()));
        }
    }

    /** Whether waiting calls may move otherwise than before. */
    boolean migratesOtherwise(Dispatch next) {
        return !next.migrate().equals(dispatch.migrate());
    }

    /**
     * Creates the policy for relayed calls. Since the broker alone places them, it need not begin at random. A
     * selection class for direct calls is on the class path of the callers, not here.
     */
    private BalancePolicy policy(Balance balance) {
        boolean isOfCallers = balance instanceof Balance.Chosen && dispatch.route() == Route.DIRECT;
        return balance instanceof Balance.RoundRobin || isOfCallers
                ? BalancePolicies.roundRobin()
                : Balances.policy(balance, random);
    }

    /** Sets a task that runs each time that a waiting call may find room. */
    void onRoom(Runnable task) {
        balancer.onRoom(task);
    }

    /** Takes the load that a replica has reported. */
    void report(String replica, Load load) {
        balancer.report(replica, load);
    }

    Map<String, Registration> replicas() {
        return replicas;
    }

    Watchers watchers() {
        return watchers;
    }

    ServiceView view() {
        return view;
    }

    boolean isEmpty() {
        return replicas.isEmpty() && watchers.isEmpty();
    }

    /** The interface that all replicas have; null if there is none yet. */
    @Nullable
    String interfaceName() {
        return replicas.isEmpty()
                ? null
                : replicas.values().iterator().next().said().interfaceName();
    }

    /** Notes that a replica has left: {@code inWords} if it was withdrawn, not lost. */
    void left(String replica, boolean inWords) {
        replicas.remove(replica);
        withdrawn = inWords;
    }

    /**
     * Makes a new view, and tells the watchers.
     *
     * @param changed the only replica that has changed; null if others may have
     */
    void changed(long version, @Nullable String changed) {
        Map<String, Party> parties = new HashMap<>();
        replicas.forEach((replica, registration) -> parties.put(replica, registration.party()));
        view = ServiceView.of(
                new ReplicaSet(
                        name,
                        version,
                        route(),
                        replicas.values().stream().map(Registration::replica).toList(),
                        withdrawn && replicas.isEmpty()),
                parties,
                balancer,
                !dispatch.migrate().isEmpty());
        balancer.keep(parties.keySet());
        watchers.changed(view.told(), changed);
    }

    Services.Service listed(long now) {
        String interfaceName = interfaceName();
        return new Services.Service(
                name,
                interfaceName == null ? "" : interfaceName,
                view.replicas().route(),
                replicas.values().stream().map(r -> r.listed(now)).toList());
    }

    /** The route: relayed if the file says so, or if some replica cannot be dialled; that of the last replicas if all left. */
    private Route route() {
        if (replicas.isEmpty() && view.replicas().isKnown()) {
            return view.replicas().route();
        }
        boolean dialled = replicas.values().stream()
                .noneMatch(registration -> registration.said().endpoints().isEmpty());
        return dialled ? dispatch.route() : Route.RELAY;
    }
}
