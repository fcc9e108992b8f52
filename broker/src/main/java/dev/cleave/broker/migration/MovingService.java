package dev.cleave.broker.migration;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.config.Linkage;
import dev.cleave.migration.Migration;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Replicas;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One service: the servers of its replicas, and the calls that move between them. */
final class MovingService {

    private final String name;
    private final LongSupplier nanos;
    private final Map<String, Mover> movers = new HashMap<>(); // by replica
    private final Map<String, Mover> taking = new HashMap<>(); // by replica: the servers that take part
    private List<Linkage> linkages;
    private Migration migration;

    MovingService(String name, List<Linkage> linkages, LongSupplier nanos) {
        this.name = name;
        this.nanos = nanos;
        this.linkages = linkages;
        migration = new Migration(name, linkages, nanos);
    }

    /** Moves calls by other linkages from now on. */
    void change(List<Linkage> next) {
        if (!next.equals(linkages)) {
            taking.values().forEach(mover -> mover.tell(new LoadWatch(name, List.of())));
            taking.clear();
            linkages = next;
            migration = new Migration(name, next, nanos);
        }
    }

    void registered(String replica, Mover mover) {
        movers.put(replica, mover);
        leave(replica); // a new process of the replica
    }

    void unregistered(String replica, Mover mover) {
        if (movers.remove(replica, mover)) {
            leave(replica);
        }
    }

    void lost(Mover mover) {
        Set.copyOf(movers.keySet()).forEach(replica -> unregistered(replica, mover));
    }

    boolean isEmpty() {
        return movers.isEmpty();
    }

    /** Lets exactly the replicas that get new calls take part. */
    void look(@Nullable ServiceView view) {
        if (linkages.isEmpty()) {
            return;
        }
        Set<String> live = new HashSet<>();
        if (view != null) {
            view.live().stream().map(Replicas.Replica::name).forEach(live::add);
        }
        Set.copyOf(taking.keySet()).stream()
                .filter(replica -> !live.contains(replica))
                .forEach(this::leave);
        movers.forEach((replica, mover) -> {
            List<Integer> edges = migration.edges(replica);
            if (live.contains(replica) && !edges.isEmpty() && mover.migrates() && !taking.containsKey(replica)) {
                taking.put(replica, mover);
                migration.joined(replica);
                mover.tell(new LoadWatch(name, edges));
            }
        });
    }

    void loaded(Mover from, Loaded said) {
        String replica = replica(from);
        if (replica != null) {
            order(migration.loaded(replica, said));
        }
    }

    void granted(Mover from, CallGrant said) {
        String replica = replica(from);
        if (replica != null) {
            order(migration.granted(replica, said));
        }
    }

    void due() {
        order(migration.due());
    }

    /** The time at which {@link #due} must be called; {@link Long#MAX_VALUE} for never. */
    long dueAt() {
        return taking.isEmpty() ? Long.MAX_VALUE : migration.dueAt();
    }

    private void order(List<Migration.Order> orders) {
        for (Migration.Order order : orders) {
            Mover owner = taking.get(order.owner());
            if (owner != null) {
                owner.tell(order.claim());
            }
        }
    }

    private void leave(String replica) {
        if (taking.remove(replica) != null) {
            migration.left(replica);
        }
    }

    private @Nullable String replica(Mover mover) {
        for (Map.Entry<String, Mover> entry : taking.entrySet()) {
            if (entry.getValue() == mover) {
                return entry.getKey();
            }
        }
        return null;
    }
}
