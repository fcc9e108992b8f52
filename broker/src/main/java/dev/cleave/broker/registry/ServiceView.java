package dev.cleave.broker.registry;

import static java.util.Objects.requireNonNull;

import dev.cleave.replica.Balancer;
import dev.cleave.replica.Placement;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A service at one moment, as relayed calls need it. Immutable except for the state of its policy.
 *
 * @param replicas all replicas
 * @param live the replicas that get new calls from this broker: they are connected to it
 * @param parties the party that offers each replica, by name
 * @param balancer places calls
 * @param migrates whether waiting calls may move between the replicas
 */
public record ServiceView(
        ReplicaSet replicas,
        List<Replicas.Replica> live,
        Map<String, Party> parties,
        Balancer balancer,
        boolean migrates) {

    /** Copies its components. */
    public ServiceView {
        live = List.copyOf(live);
        parties = Map.copyOf(parties);
        requireNonNull(balancer, "balancer");
    }

    static ServiceView of(ReplicaSet replicas, Map<String, Party> parties, Balancer balancer, boolean migrates) {
        boolean areAllHere = parties.values().stream().allMatch(party -> party.home() == null);
        List<Replicas.Replica> live =
                areAllHere ? replicas.live() : here(replicas, parties).live();
        return new ServiceView(replicas, live, parties, balancer, migrates);
    }

    /** Returns the replicas that are connected to this broker. */
    private static ReplicaSet here(ReplicaSet all, Map<String, Party> parties) {
        return with(all, replica -> requireNonNull(parties.get(replica.name())).home() == null);
    }

    /**
     * Places the next call, but not at parties that do not take it; null if none is left.
     *
     * @param key the key of the call, or null
     */
    public @Nullable Placement pick(List<Party> except, @Nullable Object key) {
        List<Replicas.Replica> candidates = except.isEmpty()
                ? live
                : here(replicas, parties).liveBut(replica -> except.contains(parties.get(replica.name())));
        return candidates.isEmpty() ? null : balancer.placeAnyway(candidates, key);
    }

    /**
     * Places the next call; null if each live replica has as many calls as it may have.
     *
     * @param key the key of the call, or null
     */
    public @Nullable Placement place(@Nullable Object key) {
        return balancer.place(live, key);
    }

    /** Whether a replica is connected to another broker. */
    public boolean isSpread() {
        return live.size() < replicas.replicas().size()
                && parties.values().stream().anyMatch(party -> party.home() != null && !party.isOrphaned());
    }

    /** Whether the policy has room for a call at a live replica here. */
    public boolean hasRoom() {
        for (Replicas.Replica replica : live) {
            if (balancer.room(replica.name()) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a live replica is connected to another broker. */
    public boolean isServedElsewhere() {
        return homed().live().stream()
                .anyMatch(replica -> requireNonNull(parties.get(replica.name())).home() != null);
    }

    /** Whether no replica is connected to a broker, and some are on their way to one: their own is gone. */
    public boolean isOrphaned() {
        return live.isEmpty() && parties.values().stream().anyMatch(Party::isOrphaned) && !isServedElsewhere();
    }

    /** Whether waiting calls may be placed in another order than that of their arrival. */
    public boolean chooses() {
        return balancer.chooses() && !live.isEmpty();
    }

    /** Whether calls without a priority are ordered by the time that they take. */
    public boolean learns() {
        return balancer.learns();
    }

    /** Chooses the waiting call, by the keys of all, to be placed next; -1 if there is no room. */
    public int choose(Iterator<? extends @Nullable Object> keys) {
        return balancer.choose(live, keys);
    }

    /** Places a call at a given replica; null if that gets no new calls. */
    public @Nullable Placement placeAt(String replica) {
        for (Replicas.Replica known : live) {
            if (known.name().equals(replica)) {
                return balancer.placeAt(known);
            }
        }
        return null;
    }

    /** The party that offers the replica of a placement. */
    public Party party(Placement placement) {
        return requireNonNull(parties.get(placement.replica().name()));
    }

    /**
     * The replicas as clients see them: with their endpoints; or, if calls are relayed, with those of the brokers to which
     * they are connected, and without any if that is this one.
     */
    ReplicaSet told() {
        return replicas.route() == Route.DIRECT ? replicas : relayed();
    }

    private ReplicaSet relayed() {
        List<Replicas.Replica> homed = homed().live();
        List<Replicas.Replica> told = (homed.isEmpty() ? replicas.live() : homed)
                .stream()
                        .map(r -> new Replicas.Replica(r.name(), r.incarnation(), r.state(), homeOf(r)))
                        .toList();
        return new ReplicaSet(replicas.service(), replicas.version(), Route.RELAY, told, replicas.withdrawn());
    }

    /** Returns the replicas that are connected to a broker. */
    private ReplicaSet homed() {
        boolean areAll = parties.values().stream().noneMatch(Party::isOrphaned);
        return areAll
                ? replicas
                : with(replicas, replica -> !requireNonNull(parties.get(replica.name()))
                        .isOrphaned());
    }

    private static ReplicaSet with(ReplicaSet all, Predicate<Replicas.Replica> which) {
        return new ReplicaSet(
                all.service(),
                all.version(),
                all.route(),
                all.replicas().stream().filter(which).toList());
    }

    private List<String> homeOf(Replicas.Replica replica) {
        String home = requireNonNull(parties.get(replica.name())).home();
        return home == null || home.isEmpty() ? List.of() : List.of(home);
    }
}
