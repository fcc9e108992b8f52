package dev.cleave.broker.registry;

import dev.cleave.replica.ReplicaSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections that watch one service: some are told of all its replicas, others of their {@link Part}, and only when that
 * has changed. Registry's thread only.
 */
final class Watchers {

    private static final Part ALL = Part.of(ReplicaSet.unknown(""), "");

    private final Map<Party, Part> parts = new LinkedHashMap<>(); // ALL for those that want all

    /**
     * Adds a connection, or changes what it is told of.
     *
     * @param client whose part it is told of; null for all replicas
     * @param now the service
     * @return what it is to be told now
     */
    ReplicaSet add(Party party, @Nullable String client, ReplicaSet now) {
        if (client == null) {
            parts.put(party, ALL);
            return now;
        }
        Part part = Part.of(now, client);
        parts.put(party, part);
        return part.told();
    }

    boolean remove(Party party) {
        return parts.remove(party) != null;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Returns what a connection is to be told of a service, which may not watch it. */
    ReplicaSet of(Party party, ReplicaSet now) {
        Part part = parts.get(party);
        return part == null || part == ALL ? now : part.of(now).told();
    }

    /**
     * Tells the connections of a change.
     *
     * @param replica the only one that has changed; null if others may have
     */
    void changed(ReplicaSet now, @Nullable String replica) {
        parts.replaceAll((party, part) -> {
            if (part == ALL) {
                party.changed(now);
                return part;
            }
            if (replica != null && part.isOf(now) && !part.mayChangeWith(replica)) {
                return part;
            }
            Part next = part.of(now);
            if (!next.isSameAs(part)) {
                party.changed(next.told());
            }
            return next;
        });
    }
}
