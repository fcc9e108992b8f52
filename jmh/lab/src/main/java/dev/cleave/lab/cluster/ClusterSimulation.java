package dev.cleave.lab.cluster;

import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The life of a cluster of three to five brokers and some servers over one store, in which brokers die, freeze and are cut
 * from the store, servers start again and move, and the store loses its quorum or goes back to an old snapshot.
 *
 * <p>Registry, membership and the store in memory are those of production; threads, time, connections and servers are
 * simulated. One seed gives one life.
 *
 * <h2>What is checked</h2>
 *
 * Each second: a server that has been registered for {@value #SETTLED_MILLIS} ms at a broker that was calm as long is
 * known, in its last incarnation, to each broker that was calm as long; a broker's epoch never falls. At each read and write
 * of an entry: the {@link RegistryHistory}. At each order to move calls: no replica takes one of an old owner after one of a new
 * one, and no two owners have one token. At the end, when nothing has been wrong for two minutes: all
 * brokers and the store know all servers, and no others.
 */
public final class ClusterSimulation {

    private static final int SETTLED_MILLIS = 10_000;
    private static final int TROUBLE_MILLIS = 60_000;
    private static final int END_MILLIS = 190_000;

    private final Random random;
    private final long seed;
    private final StoreKind kind;
    private final @Nullable StoreDefect defect;
    private final Timeline timeline;
    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final RegistryHistory history = new RegistryHistory(this::nanos, this::breaks);
    private final SimulatedOrders orders;
    private final SimulatedMember.Pace pace;
    private final List<SimulatedMember> brokers = new ArrayList<>();
    private final List<SimulatedReplica> servers = new ArrayList<>();
    private final Map<String, Long> fences = new TreeMap<>();
    private final List<String> story = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private List<Entry> snapshot = List.of();
    private long restoredAt = Long.MIN_VALUE / 2;
    private int started;

    /**
     * The findings of one life.
     *
     * @param story what happened
     * @param broken the promises that were broken
     * @param operations how many reads and writes of entries of replicas there were
     */
    public record Result(List<String> story, List<String> broken, long operations) {}

    /** Creates a cluster whose life a seed decides, with a known defect or none. */
    public ClusterSimulation(long seed, StoreKind kind, @Nullable StoreDefect defect) {
        this.kind = kind;
        this.seed = seed;
        this.defect = defect;
        random = new Random(seed * 0x9e3779b97f4a7c15L);
        timeline = new Timeline(random);
        orders = new SimulatedOrders(timeline, defect, this::breaks);
        pace = SimulatedMember.Pace.slow(timeline, seed % 4 == 3 ? 1 : ClusterThreads.WRITERS);
    }

    /** Lives it. */
    public Result run() {
        for (int i = 3 + random.nextInt(3); i > 0; i--) {
            startBroker();
        }
        timeline.runUntil(500);
        boolean renews = defect == null || seed % 2 == 1; // the renewal of leases heals what some defects do
        for (int i = 4 + random.nextInt(8); i > 0; i--) {
            servers.add(new SimulatedReplica(
                    "server-" + i, SimulatedReplica.SERVICE, timeline, random, () -> brokers, renews ? 0 : -1));
        }
        timeline.after(1_000, this::check);
        for (int i = 5 + random.nextInt(12); i > 0; i--) {
            timeline.after(3_000 + random.nextInt(TROUBLE_MILLIS), this::fault);
        }
        timeline.runUntil(END_MILLIS);
        checkEnd();
        return new Result(List.copyOf(story), List.copyOf(broken), history.operations());
    }

    private void startBroker() {
        SimulatedMember member = new SimulatedMember("b-" + ++started, timeline, ensemble, kind, defect, history, pace);
        member.orders(orders);
        brokers.add(member);
    }

    private void fault() {
        SimulatedMember victim = brokers.get(random.nextInt(brokers.size()));
        SimulatedReplica server = servers.get(random.nextInt(servers.size()));
        int away = 1_000 + random.nextInt(15_000);
        switch (random.nextInt(9)) {
            case 0 -> {
                if (brokers.stream().filter(broker -> !broker.isDead()).count() > 1 && !victim.isDead()) {
                    tell(victim + " dies, another comes after " + away + " ms");
                    victim.die();
                    timeline.after(away, this::startBroker);
                }
            }
            case 1 -> {
                if (!victim.isDead() && !victim.isFrozen()) {
                    tell(victim + " stands still for " + away + " ms");
                    victim.freeze(away);
                }
            }
            case 2, 3 -> {
                tell(victim + " is cut from the store for " + away + " ms");
                victim.cut(away);
            }
            case 4 -> {
                if (kind == StoreKind.MEMORY) {
                    tell("the store has no quorum for " + away + " ms");
                    brokers.forEach(broker -> broker.cut(away));
                } else {
                    boolean isShort = random.nextBoolean();
                    int without = isShort ? 200 + away / 4 : away;
                    tell(isShort ? "another leader after " + without + " ms" : "no quorum for " + without + " ms");
                    brokers.forEach(broker -> broker.suspend(without));
                }
            }
            case 5 -> {
                tell(server.name() + " starts again");
                server.restart();
            }
            case 6 -> {
                tell(server.name() + " moves");
                server.move();
            }
            case 7 -> {
                if (servers.size() > 2) {
                    tell(server.name() + " leaves for good");
                    servers.remove(server);
                    server.end();
                }
            }
            default -> restore();
        }
    }

    private void restore() {
        if (snapshot.isEmpty() || random.nextBoolean()) {
            snapshot = ensemble.snapshot().stream()
                    .filter(entry -> entry.key().parts().get(0).equals("replicas"))
                    .toList();
            return;
        }
        tell("the store goes back to an old snapshot");
        List<Entry> now = new ArrayList<>(snapshot);
        ensemble.snapshot().stream()
                .filter(entry -> entry.key().parts().get(0).equals("brokers"))
                .forEach(now::add);
        ensemble.restore(now);
        history.restored(ensemble.snapshot());
        restoredAt = timeline.nanos();
    }

    private void check() {
        boolean isFresh = timeline.nanos() - restoredAt < SETTLED_MILLIS * 1_000_000L;
        for (SimulatedReplica server : servers) {
            SimulatedMember home = server.home();
            boolean isSettled =
                    home != null && server.settledMillis() >= SETTLED_MILLIS && home.calmMillis() >= SETTLED_MILLIS;
            for (SimulatedMember broker : brokers) {
                if (isSettled && !isFresh && broker.calmMillis() >= SETTLED_MILLIS) {
                    Long known = broker.replicas(SimulatedReplica.SERVICE).get(server.name());
                    if (known == null || known != server.incarnation()) {
                        breaks(broker + " knows " + server.name() + " as " + known + ", and it is "
                                + server.incarnation() + " at " + home);
                    }
                }
            }
        }
        for (Entry entry : ensemble.snapshot()) {
            if (entry.key().parts().get(0).equals("brokers")) {
                checkFence(entry);
            }
        }
        if (timeline.nanos() / 1_000_000 < END_MILLIS - 1_000) {
            timeline.after(1_000, this::check);
        }
    }

    private void checkFence(Entry entry) {
        String id = entry.key().parts().get(1);
        fences.merge(id, entry.version(), Math::max);
        boolean isGone = brokers.stream().anyMatch(broker -> broker.id().equals(id) && broker.isDead());
        if (isGone && timeline.nanos() / 1_000_000 > TROUBLE_MILLIS + 40_000) {
            breaks("the entry of " + id + " is there, and the broker has been dead for long");
        }
        brokers.stream()
                .filter(broker -> broker.id().equals(id) && broker.calmMillis() >= SETTLED_MILLIS)
                .filter(broker -> broker.fence() != entry.version())
                .filter(broker -> timeline.nanos() - restoredAt >= SETTLED_MILLIS * 1_000_000L)
                .forEach(broker -> {
                    if (restoredAt < 0) {
                        breaks(broker + " takes " + broker.fence() + " for its epoch, and it is " + entry.version());
                    }
                });
    }

    private void checkEnd() {
        Map<String, Long> truth = new TreeMap<>();
        servers.forEach(server -> truth.put(server.name(), server.incarnation()));
        for (SimulatedMember broker : brokers) {
            if (!broker.isDead() && !broker.replicas(SimulatedReplica.SERVICE).equals(truth)) {
                breaks("at the end " + broker + " knows " + broker.replicas(SimulatedReplica.SERVICE)
                        + ", and there are " + truth);
            }
        }
        long movers = brokers.stream()
                .filter(broker -> !broker.isDead() && broker.movesWith() > 0)
                .count();
        if (movers != 1) {
            breaks("at the end " + movers + " brokers move calls");
        }
        String stored = ensemble.snapshot().stream()
                .filter(entry -> entry.key().parts().get(0).equals("replicas"))
                .map(entry -> entry.key().parts().get(2))
                .sorted()
                .collect(Collectors.joining(" "));
        if (!stored.equals(String.join(" ", truth.keySet()))) {
            breaks("at the end the store has " + stored + ", and there are " + truth.keySet());
        }
    }

    private long nanos() {
        return timeline.nanos();
    }

    private void tell(String what) {
        story.add(timeline.nanos() / 1_000_000 + " ms: " + what);
    }

    private void breaks(String what) {
        if (broken.isEmpty()) {
            tell("BROKEN: " + what);
            brokers.forEach(broker -> tell(broker.describe()));
            tell("the store: "
                    + ensemble.snapshot().stream()
                            .map(entry -> entry.key() + " v" + entry.version())
                            .toList());
            broken.add("seed " + seed + ": " + what);
        }
    }
}
