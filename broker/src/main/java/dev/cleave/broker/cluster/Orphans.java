package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.Entry;
import dev.cleave.replica.Rendezvous;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the replicas whose broker has been gone for long, and that this broker is to remove: {@link Rendezvous} chooses one
 * for each. Registry's thread only.
 */
final class Orphans {

    /** How long the replicas of a broker that is gone stay. */
    static final Duration STAY = Duration.ofSeconds(30);

    private final String broker;
    private final StoredReplicas replicas;
    private final LiveBrokers members;
    private final Map<String, Long> goneSince = new HashMap<>(); // by broker

    Orphans(String broker, StoredReplicas replicas, LiveBrokers members) {
        this.broker = requireNonNull(broker, "broker");
        this.replicas = requireNonNull(replicas, "replicas");
        this.members = requireNonNull(members, "members");
    }

    /** Notes that a broker is a member. */
    void isBack(String member) {
        goneSince.remove(member);
    }

    /** Notes that changes may have been missed: each broker that is no member now may have been one a moment ago. */
    void hasMissed() {
        goneSince.clear();
    }

    /** Returns the entries to remove now. To be called about once a second while all changes of the store are told. */
    List<Entry> due(long now) {
        Map<String, BrokerMember> live = members.all();
        List<Entry> due = new ArrayList<>();
        if (live.isEmpty()) {
            return due;
        }
        Set<String> gone = new HashSet<>();
        replicas.forEach((key, stored) -> {
            String home = stored.record().home();
            if (live.containsKey(home)) {
                return;
            }
            gone.add(home);
            long since = goneSince.computeIfAbsent(home, each -> now);
            boolean isOurTask = Rendezvous.rank(key.toString(), live.keySet(), each -> each)
                    .get(0)
                    .equals(broker);
            if (now - since >= STAY.toNanos() && isOurTask) {
                due.add(stored.entry());
            }
        });
        goneSince.keySet().retainAll(gone);
        return due;
    }
}
