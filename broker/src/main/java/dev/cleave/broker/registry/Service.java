package dev.cleave.broker.registry;

import dev.cleave.call.Balances;
import dev.cleave.config.Balance;
import dev.cleave.config.Dispatch;
import dev.cleave.replica.BalancePolicy;
import dev.cleave.replica.Balancer;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Load;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One service: its replicas, and who watches it. */
final class Service {

    private final String name;
    private Dispatch dispatch;
    private final RandomGenerator random;
    private final Balancer balancer;
    private final Map<String, Registration> replicas = new TreeMap<>();
    private final Set<Party> watchers = new LinkedHashSet<>();
    private ServiceView view;
    private boolean withdrawn;

    Service(String name, Dispatch dispatch, RandomGenerator random, LongSupplier nanos) {
        this.name = name;
        this.dispatch = dispatch;
        this.random = random;
        this.balancer = new Balancer(policy(dispatch.balance()), nanos);
        this.view = ServiceView.of(ReplicaSet.unknown(name), Map.of(), balancer, false);
    }

    /** Spreads calls another way from now on, and lets them move otherwise; the route stays. */
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
     * The broker is alone in what it relays, and need not begin at random. The class that is to choose for direct calls is on
     * the class path of callers.
     */
    private BalancePolicy policy(Balance balance) {
        boolean isOfCallers = balance instanceof Balance.Chosen && dispatch.route() == Route.DIRECT;
        return balance instanceof Balance.RoundRobin || isOfCallers
                ? BalancePolicy.roundRobin()
                : Balances.policy(balance, random);
    }

    /** Runs a task each time that a call may find room that found none. */
    void onRoom(Runnable task) {
        balancer.onRoom(task);
    }

    /** A replica has said how busy it is. */
    void report(String replica, Load load) {
        balancer.report(replica, load);
    }

    Map<String, Registration> replicas() {
        return replicas;
    }

    Set<Party> watchers() {
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

    /** A replica has left: taken back in words, or lost. */
    void left(String replica, boolean inWords) {
        replicas.remove(replica);
        withdrawn = inWords;
    }

    /** Makes the view anew, and tells the watchers. */
    void changed(long version) {
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
        ReplicaSet told = view.told();
        watchers.forEach(watcher -> watcher.changed(told));
    }

    Services.Service listed(long now) {
        String interfaceName = interfaceName();
        return new Services.Service(
                name,
                interfaceName == null ? "" : interfaceName,
                view.replicas().route(),
                replicas.values().stream().map(r -> r.listed(now)).toList());
    }

    /** Relayed if the file says so, or if some replica cannot be dialled. */
    private Route route() {
        boolean dialled = replicas.values().stream()
                .noneMatch(registration -> registration.said().endpoints().isEmpty());
        return dialled ? dispatch.route() : Route.RELAY;
    }
}
