package dev.cleave.broker.gossip;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.replica.Balancer;
import dev.cleave.wire.Load;
import dev.cleave.wire.Loads;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The loads that one other broker was told of the replicas of one service that are connected here. The other broker is told
 * of a change at once if room has come or gone, has doubled or halved, or was used; else after {@link #SLOW}.
 */
final class LoadTold {

    /** How long a small change waits. */
    static final Duration SLOW = Duration.ofSeconds(1);

    private static final int MOST_AHEAD = 512;

    private final Map<String, Told> told = new HashMap<>(); // by replica

    /** The last load that was told of a replica. */
    private static final class Told {

        private Load load = Load.NONE;
        private int room = -1; // nothing was told
        private long atNanos;
        private int placed; // when it was told
        private int placedLast; // when it was looked at
    }

    /**
     * Returns the loads that are to be told now, and notes them as told. A replica that this broker suspects has no room for calls of
     * others, also if there is no better one here: there may be one elsewhere.
     *
     * @param share by how much the room is divided: the number of brokers that may use it
     * @param hasRoom whether there is room for calls of others: not while calls wait here
     * @param most how many replicas are told of
     */
    List<Loads.Replica> due(ServiceView view, int share, boolean hasRoom, long now, int most) {
        Set<String> live = new HashSet<>();
        view.live().forEach(replica -> live.add(replica.name()));
        List<Loads.Replica> due = new ArrayList<>();
        Set<String> here = new HashSet<>();
        for (Replicas.Replica replica : view.replicas().replicas()) {
            String name = replica.name();
            Party party = view.parties().get(name);
            if (party == null || party.home() != null) {
                continue;
            }
            here.add(name);
            Balancer.KnownLoad known = view.balancer().known(name);
            Told before = told.computeIfAbsent(name, n -> new Told());
            boolean isOffered = hasRoom && live.contains(name) && replica.state() != ReplicaState.SUSPECT;
            int room = isOffered ? room(known, before, share) : 0;
            if (due.size() < most && isDue(before, known, room, now)) {
                before.load = known.load();
                before.room = room;
                before.atNanos = now;
                before.placed = known.placed();
                due.add(new Loads.Replica(name, known.load(), room));
            }
            before.placedLast = known.placed();
        }
        told.keySet().retainAll(here);
        return due;
    }

    /**
     * Returns the room to tell. A replica that has room again after the calls that it got since it was looked at last will
     * probably have room for twice as many until it is looked at next.
     */
    private static int room(Balancer.KnownLoad known, Told before, int share) {
        int since = before.room < 0 ? 0 : Math.max(0, known.placed() - before.placedLast);
        long room = known.room() <= 0 ? 0 : known.room() + 2L * Math.min(since, MOST_AHEAD);
        return room == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (room - 1) / share + 1);
    }

    private static boolean isDue(Told before, Balancer.KnownLoad known, int room, long now) {
        int had = before.room;
        if (had < 0) {
            return true;
        }
        boolean isMuch = room > 0 != had > 0 || room > 2L * had || 2L * room < had;
        boolean isUsed = room > 0 && known.placed() != before.placed;
        boolean isOther = room != had || !known.load().equals(before.load);
        return isMuch || isUsed || isOther && now - before.atNanos >= SLOW.toNanos();
    }
}
