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
import org.jspecify.annotations.Nullable;

/**
 * A service at one moment, as relayed calls need it. Immutable except for the state of its policy.
 *
 * @param replicas all replicas
 * @param live the replicas that get new calls
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
        return new ServiceView(replicas, replicas.live(), parties, balancer, migrates);
    }

    /**
     * Places the next call, but not at parties that do not take it; null if none is left.
     *
     * @param key the key of the call, or null
     */
    public @Nullable Placement pick(List<Party> except, @Nullable Object key) {
        List<Replicas.Replica> candidates =
                except.isEmpty() ? live : replicas.liveBut(replica -> except.contains(parties.get(replica.name())));
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

    /** Whether waiting calls may be placed in another order than that of their arrival. */
    public boolean chooses() {
        return balancer.chooses() && !live.isEmpty();
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

    /** The replicas as clients see them: with their endpoints, or, if calls are relayed, without. */
    ReplicaSet told() {
        return replicas.route() == Route.DIRECT ? replicas : withoutEndpoints();
    }

    private ReplicaSet withoutEndpoints() {
        List<Replicas.Replica> bare = live.stream()
                .map(r -> new Replicas.Replica(r.name(), r.incarnation(), r.state(), List.of()))
                .toList();
        return new ReplicaSet(replicas.service(), replicas.version(), Route.RELAY, bare, replicas.withdrawn());
    }
}
