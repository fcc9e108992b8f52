package dev.cleave.broker.registry;

import static java.util.Objects.requireNonNull;

import dev.cleave.replica.Rendezvous;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The replicas of a large service of which one client is told: the {@value #MOST} that it prefers ({@link Rendezvous}), so that
 * a million clients do not connect to ten thousand servers each. At least {@value #LEAST_LIVE} of these take new calls, if the
 * service has as many that do; the client is told of the others since it may have calls there. A client is told of all replicas
 * of a service that has at most {@value #MOST}. Immutable.
 */
final class Part {

    static final int MOST = 20;
    static final int LEAST_LIVE = 10;

    private final String client;
    private final ReplicaSet told;
    private final Set<String> names = new HashSet<>();
    private final long leastWeight; // of those that are told
    private final boolean isOpen; // any change of any replica counts

    private Part(String client, ReplicaSet told, boolean isOpen) {
        this.client = requireNonNull(client, "client");
        this.told = told;
        this.isOpen = isOpen;
        long least = Long.MAX_VALUE;
        for (Replicas.Replica replica : told.replicas()) {
            names.add(replica.name());
            least = Math.min(least, Rendezvous.weight(client, replica.name()));
        }
        leastWeight = least;
    }

    /**
     * Chooses the part of a service for a client.
     *
     * @param client its name and incarnation, so that all brokers choose the same part
     */
    static Part of(ReplicaSet all, String client) {
        if (all.replicas().size() <= MOST) {
            return new Part(client, all, true);
        }
        List<Replicas.Replica> ranked = all.replicas().stream()
                .map(replica -> new Weighed(replica, Rendezvous.weight(client, replica.name())))
                .sorted(Comparator.comparingLong(Weighed::weight).reversed())
                .map(Weighed::replica)
                .toList();
        Set<Replicas.Replica> live = Set.copyOf(all.live());
        List<Replicas.Replica> chosen = new ArrayList<>(ranked.subList(0, MOST));
        int found = (int) chosen.stream().filter(live::contains).count();
        boolean lacks = found < LEAST_LIVE;
        for (int next = MOST; found < LEAST_LIVE && next < ranked.size(); next++) {
            if (live.contains(ranked.get(next))) {
                removeLast(chosen, live);
                chosen.add(ranked.get(next));
                found++;
            }
        }
        return new Part(
                client, new ReplicaSet(all.service(), all.version(), all.route(), chosen, all.withdrawn()), lacks);
    }

    private record Weighed(Replicas.Replica replica, long weight) {}

    /** Removes the least preferred replica that gets no new calls. */
    private static void removeLast(List<Replicas.Replica> chosen, Set<Replicas.Replica> live) {
        for (int i = chosen.size() - 1; i >= 0; i--) {
            if (!live.contains(chosen.get(i))) {
                chosen.remove(i);
                return;
            }
        }
    }

    /** The replicas that the client is told of. */
    ReplicaSet told() {
        return told;
    }

    /** Returns the part of the same client of the service as it is now. */
    Part of(ReplicaSet now) {
        return of(now, client);
    }

    /** Whether a service has the route of which the client was told. */
    boolean isOf(ReplicaSet now) {
        return told.route() == now.route();
    }

    /** Whether the part may differ after a change of one replica. */
    boolean mayChangeWith(String replica) {
        return isOpen || names.contains(replica) || Rendezvous.weight(client, replica) > leastWeight;
    }

    /** Whether a client that was told this part knows another one, too. */
    boolean isSameAs(Part other) {
        return told.route() == other.told.route()
                && told.withdrawn() == other.told.withdrawn()
                && told.replicas().equals(other.told.replicas());
    }
}
