package dev.cleave.lab.cluster;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.replica.Rendezvous;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A server of a simulated cluster, which registers with one broker after the other as they come and go. */
final class SimulatedReplica {

    static final String SERVICE = "service";

    private final String name;
    private final String service;
    private final Timeline timeline;
    private final RandomGenerator random;
    private final Supplier<List<SimulatedMember>> brokers;
    private long incarnation;
    private @Nullable SimulatedMember home;
    private @Nullable Link link;
    private boolean registered;
    private boolean ended;
    private long since;

    /** One connection of this server to a broker. */
    private final class Link implements Party {

        @Override
        public String address() {
            return name;
        }

        @Override
        public void displaced(String service, String replica, String by) {
            if (link == this) { // another replica has our name: we ask again, as a node does
                registered = false;
                timeline.after(1_000 + random.nextInt(1_000), () -> again(this));
            }
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    /**
     * Creates a server, which registers.
     *
     * @param renewsAfter the milliseconds until it renews its lease for the first time; negative if it never does
     */
    SimulatedReplica(
            String name,
            String service,
            Timeline timeline,
            RandomGenerator random,
            Supplier<List<SimulatedMember>> brokers,
            int renewsAfter) {
        this.name = name;
        this.service = service;
        this.timeline = timeline;
        this.random = random;
        this.brokers = brokers;
        incarnation = 1;
        connect(null);
        look();
        if (renewsAfter == 0) {
            renew(); // is told that it has no registration yet, and registers again
        } else if (renewsAfter > 0) {
            timeline.after(renewsAfter, this::renew);
        }
    }

    String name() {
        return name;
    }

    String service() {
        return service;
    }

    long incarnation() {
        return incarnation;
    }

    /** The broker at which it is registered; null while it is not. */
    @Nullable
    SimulatedMember home() {
        return registered ? home : null;
    }

    /** For how long it has been registered over its connection, in milliseconds. */
    long settledMillis() {
        return registered ? (timeline.nanos() - since) / 1_000_000 : 0;
    }

    /** Starts again as a later process; the broker learns of the end of the earlier one sooner or later. */
    void restart() {
        leave(random.nextInt(4) == 0 ? 3_000 : 5);
        incarnation++;
        connect(null);
    }

    /** Goes to another broker though its own lives; that one hears of it late: for a time both believe to be home. */
    void move() {
        SimulatedMember before = home;
        leave(random.nextInt(8_000));
        connect(before);
    }

    /** Ends for good; its broker learns of it. */
    void end() {
        ended = true;
        leave(5);
    }

    private void leave(long millis) {
        Link left = link;
        SimulatedMember at = home;
        link = null;
        registered = false;
        if (left != null && at != null) {
            timeline.after(millis, () -> at.lost(left));
        }
    }

    private void connect(@Nullable SimulatedMember except) {
        List<SimulatedMember> live = brokers.get().stream()
                .filter(broker -> !broker.isDead() && broker != except)
                .toList();
        if (live.isEmpty()) {
            home = null; // it looks again
            return;
        }
        home = Rendezvous.rank(name + (except == null ? "" : random.nextInt(9)), live, SimulatedMember::id)
                .get(0);
        Link made = new Link();
        link = made;
        again(made);
    }

    private void again(Link over) {
        SimulatedMember at = home;
        if (over != link || at == null) {
            return;
        }
        RegisterReplica said = new RegisterReplica(
                1, service, name, incarnation, List.of("tcp://" + name + ":1"), "a.B", List.of(), 60_000);
        at.register(over, said, refusal -> answered(over, refusal));
    }

    private void answered(Link over, @Nullable RefusedException refusal) {
        if (over != link) {
            return;
        }
        if (refusal == null) {
            registered = true;
            since = timeline.nanos();
        } else {
            timeline.after(1_000, () -> again(over));
        }
    }

    /** Renews its lease, as a node does every 20 s; a broker that has forgotten it is told again. */
    private void renew() {
        if (ended) {
            return;
        }
        SimulatedMember at = home;
        Link over = link;
        if (at != null && over != null) {
            at.renew(over, () -> again(over));
        }
        timeline.after(20_000, this::renew);
    }

    /** Notices the death of its broker within some seconds. */
    private void look() {
        if (ended) {
            return;
        }
        SimulatedMember at = home;
        if (at == null || at.isDead()) {
            registered = false;
            link = null;
            connect(null);
        }
        timeline.after(200 + random.nextInt(2_000), this::look);
    }
}
