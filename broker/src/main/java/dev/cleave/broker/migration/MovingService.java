package dev.cleave.broker.migration;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.config.Linkage;
import dev.cleave.metrics.Refusals;
import dev.cleave.migration.Grants;
import dev.cleave.migration.Migration;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One service: the servers of its replicas, and the calls that move between them.
 *
 * <p>In a cluster one broker moves the calls of a service between replicas at any brokers. The other brokers pass its frames on to
 * their own servers, and the answers back. Relayed calls are the exception: they belong to the broker that relays them, which
 * moves them between its own replicas.
 */
final class MovingService {

    private final String name;
    private final LongSupplier nanos;
    private final Map<String, Mover> movers = new HashMap<>(); // by replica
    private final Map<String, Mover> taking = new HashMap<>(); // by replica: the servers that take part
    private List<Linkage> linkages;
    private Migration migration;
    private long token = Ownership.ALONE; // negative: another broker moves the calls
    private final Grants.Fences fences = new Grants.Fences();
    private final List<Order> early = new ArrayList<>(); // frames with tokens that the store has not given out yet
    private @Nullable Mover owner; // the broker that has sent the newest orders
    private long ownerToken;

    private static final int MOST_EARLY = 64;

    /** A frame of another broker. */
    private record Order(Mover from, Forward said) {}

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
        if (owner == mover) {
            owner = null;
        }
        early.removeIf(order -> order.from() == mover);
    }

    /** Removes the replicas that are connected to another broker, which cannot be reached. */
    void lost(String home) {
        Map.copyOf(taking).forEach((replica, mover) -> {
            if (mover instanceof FarMover far && far.home().equals(home)) {
                leave(replica);
            }
        });
    }

    boolean isEmpty() {
        return movers.isEmpty() && taking.isEmpty();
    }

    /** Lets exactly the replicas that get new calls take part, if this broker moves the calls. */
    void look(@Nullable ServiceView view, Ownership ownership) {
        List<Order> waiting = List.copyOf(early);
        early.clear();
        waiting.forEach(order -> ordered(order.from(), order.said(), ownership));
        if (linkages.isEmpty()) {
            return;
        }
        boolean isRelayed = view == null || view.replicas().route() == Route.RELAY;
        own(isRelayed ? Ownership.ALONE : ownership.token(name));
        Map<String, Mover> there = token < 0 || view == null ? Map.of() : candidates(view, ownership);
        Map.copyOf(taking).forEach((replica, mover) -> {
            if (!mover.equals(there.get(replica))) {
                leave(replica);
            }
        });
        there.forEach((replica, mover) -> {
            if (!taking.containsKey(replica)) {
                taking.put(replica, mover);
                migration.joined(replica);
                mover.tell(new LoadWatch(name, migration.edges(replica)));
            }
        });
    }

    private void own(long next) {
        if (next != token) {
            taking.clear(); // each replica is asked anew, by this broker or by another one
            migration = new Migration(name, linkages, nanos);
            token = next;
            boolean unused = next <= Ownership.ALONE || fences.takes(name, next);
        }
    }

    private Map<String, Mover> candidates(ServiceView view, Ownership ownership) {
        Map<String, Mover> there = new HashMap<>();
        view.live().forEach(replica -> {
            Mover mover = movers.get(replica.name());
            if (mover != null && mover.migrates()) {
                there.put(replica.name(), mover);
            }
        });
        if (token > Ownership.ALONE) {
            view.replicas().live().forEach(replica -> {
                Party party = view.parties().get(replica.name());
                String home = party == null ? null : party.home();
                if (home != null && !home.isEmpty() && ownership.reaches(home)) {
                    there.put(
                            replica.name(),
                            new FarMover(home, replica.name(), replica.incarnation(), token, ownership));
                }
            });
        }
        there.keySet().removeIf(replica -> migration.edges(replica).isEmpty());
        return there;
    }

    /**
     * Passes a frame of the broker that moves the calls on to a replica that is connected here: when the store has given out its
     * token, as far as this broker knows.
     */
    void ordered(Mover from, Forward said, Ownership ownership) {
        if (!ownership.hasGiven(name, said.fence())) {
            if (early.size() < MOST_EARLY) {
                early.add(new Order(from, said));
            } else {
                Refusals.count("migration.fence");
            }
            return;
        }
        if (!fences.takes(name, said.fence())) {
            return;
        }
        ownerToken = said.fence();
        owner = from;
        Mover mover = movers.get(said.replica());
        if (mover != null && mover.migrates()) {
            mover.tell(said.said());
        }
    }

    /** Takes the answer of a replica that is connected to another broker. */
    void answered(String home, Forward said) {
        if (said.fence() == token
                && taking.get(said.replica()) instanceof FarMover far
                && far.home().equals(home)) {
            take(said.replica(), said.said());
        }
    }

    /** Takes what the server of a replica says. */
    void told(Mover from, Frame said) {
        String taken = replica(taking, from);
        String connected = replica(movers, from);
        if (taken != null) {
            take(taken, said);
        } else if (owner != null && connected != null) {
            owner.tell(new Forward(connected, ownerToken, said));
        }
    }

    private void take(String replica, Frame said) {
        if (said instanceof Loaded loaded) {
            order(migration.loaded(replica, loaded));
        } else if (said instanceof CallGrant grant) {
            order(migration.granted(replica, grant));
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
            Mover giver = taking.get(order.owner());
            if (giver != null) {
                giver.tell(order.claim().fencedBy(token));
            }
        }
    }

    private void leave(String replica) {
        if (taking.remove(replica) != null) {
            migration.left(replica);
        }
    }

    private static @Nullable String replica(Map<String, Mover> replicas, Mover mover) {
        for (Map.Entry<String, Mover> entry : replicas.entrySet()) {
            if (entry.getValue() == mover) {
                return entry.getKey();
            }
        }
        return null;
    }

    /**
     * A replica that is connected to another broker, by way of that one.
     *
     * @param home where that broker is dialled
     * @param incarnation that of the process of the replica
     * @param token that of this broker
     */
    private record FarMover(String home, String replica, long incarnation, long token, Ownership way) implements Mover {

        @Override
        public boolean migrates() {
            return true; // its broker drops what it does not support
        }

        @Override
        public void tell(Frame frame) {
            way.tell(home, new Forward(replica, token, frame));
        }

        @Override
        public String address() {
            return "broker " + home;
        }

        @Override
        public void changed(ReplicaSet replicas) {
            throw new UnsupportedOperationException("a replica of another broker watches no service here");
        }
    }
}
