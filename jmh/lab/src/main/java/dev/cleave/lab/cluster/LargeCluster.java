package dev.cleave.lab.cluster;

import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.replica.Rendezvous;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ten brokers with thousands of replicas and clients in one thread under a clock of its own: all servers register at once, all
 * start again one after the other, and a broker dies. Each time all brokers have to know all servers as they are, and each
 * client twenty of its service. Registry and membership are those of production.
 *
 * @param brokers how many
 * @param services how many; replicas and clients are spread over them
 * @param replicas of all services
 * @param clients of all services; each watches one
 */
public record LargeCluster(int brokers, int services, int replicas, int clients) {

    /** The time of 10,000 registrations on paper: those of 5,000 replicas and what brokers need for them may take as long. */
    private static final long STORM_MILLIS = 3_500;

    private static final long ROLL_MILLIS = 600_000;
    private static final long MOST_MILLIS = 120_000;
    private static final int MOST_TOLD = 20;
    private static final int RENEWAL_MILLIS = 20_000;

    /** A round trip to the store, on a network with some load; a registration or removal takes two. */
    private static final long ROUND_TRIP_NANOS = 2_000_000;

    /** The time that a watch needs to read a changed entry, while many are read side by side: 54 us were measured. */
    private static final long READ_NANOS = 100_000;

    /** The time that the store needs for a write: 2,889 a second were measured, with ten watchers. */
    private static final long WRITE_NANOS = 1_000_000_000 / 2_889;

    /** The time that a broker needs for one change, to compute and to tell, in the middle: 99 to 258 us of real time were measured. */
    private static final long CHANGE_NANOS = 250_000;

    /**
     * The measurements of one life.
     *
     * @param lines for people
     * @param kept whether all was within the figures of the design
     */
    public record Result(List<String> lines, boolean kept) {

        /** Copies its components. */
        public Result {
            lines = List.copyOf(lines);
        }
    }

    /** A connection of a client, which counts and keeps what it is told. */
    private static final class Client implements Party {

        private final String name;
        private final Running in;
        private @Nullable SimulatedMember broker;
        private List<Replicas.Replica> known = List.of();

        private Client(String name, Running in) {
            this.name = name;
            this.in = in;
        }

        /** Whether it knows at most twenty replicas, each in its last incarnation, or its broker is dead. */
        private boolean knows(Map<String, Long> truth) {
            SimulatedMember at = broker;
            return at == null
                    || at.isDead()
                    || known.size() == Math.min(MOST_TOLD, truth.size())
                            && known.stream().allMatch(replica -> Long.valueOf(replica.incarnation())
                                    .equals(truth.get(replica.name())));
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public void changed(ReplicaSet set) {
            known = set.replicas();
            in.told();
        }
    }

    /** Lives it. */
    public Result run() {
        return new Running().run();
    }

    private final class Running {

        private final Timeline timeline = new Timeline(new Random(brokers));
        private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
        private final RegistryHistory history = new RegistryHistory(this::nanos, this::breaks);
        private final SimulatedMember.Pace pace = new SimulatedMember.Pace(
                timeline.between(READ_NANOS / 2, 2 * READ_NANOS),
                timeline.inTurn(timeline.between(ROUND_TRIP_NANOS, 3 * ROUND_TRIP_NANOS), WRITE_NANOS, new long[1]),
                timeline.between(CHANGE_NANOS / 2, 3 * CHANGE_NANOS / 2),
                0,
                ClusterThreads.WRITERS);
        private final List<SimulatedMember> members = new ArrayList<>();
        private final List<SimulatedReplica> servers = new ArrayList<>();
        private final Map<String, List<Client>> callers = new TreeMap<>(); // by service
        private final Map<String, Integer> expected = new TreeMap<>(); // replicas of each service
        private final List<String> lines = new ArrayList<>();
        private final List<String> broken = new ArrayList<>();
        private long pushes;

        private long nanos() {
            return timeline.nanos();
        }

        private void told() {
            pushes++;
        }

        private void breaks(String what) {
            broken.add(what);
        }

        private Result run() {
            for (int i = 0; i < brokers; i++) {
                members.add(new SimulatedMember("b-" + i, timeline, ensemble, StoreKind.MEMORY, null, history, pace));
            }
            timeline.runUntil(2_000);
            for (int i = 0; i < clients; i++) {
                Client client = new Client("client-" + i, this);
                SimulatedMember broker = Rendezvous.rank(client.name, members, SimulatedMember::id)
                        .get(0);
                client.broker = broker;
                broker.watch(client, service(i));
                callers.computeIfAbsent(service(i), s -> new ArrayList<>()).add(client);
            }
            storm();
            roll();
            death();
            lines.addAll(broken.subList(0, Math.min(5, broken.size())));
            return new Result(lines, broken.isEmpty());
        }

        private String service(int number) {
            return "service-" + number % services;
        }

        private void storm() {
            Random random = new Random(replicas);
            measure("registration storm", STORM_MILLIS, () -> {
                for (int i = 0; i < replicas; i++) {
                    expected.merge(service(i), 1, Integer::sum);
                    servers.add(new SimulatedReplica(
                            "server-" + i, service(i), timeline, random, () -> members, RENEWAL_MILLIS));
                }
            });
        }

        private void roll() {
            measure("rolling deploy in 10 min", ROLL_MILLIS + 10_000, () -> {
                for (int i = 0; i < servers.size(); i++) {
                    timeline.after(ROLL_MILLIS * i / servers.size(), servers.get(i)::restart);
                }
                timeline.runUntil(timeline.nanos() / 1_000_000 + ROLL_MILLIS);
            });
        }

        private void death() {
            SimulatedMember victim = members.get(0);
            measure("death of a broker", 15_000, victim::die);
            long left =
                    servers.stream().filter(server -> server.home() == victim).count();
            if (left > 0) {
                breaks(left + " servers have no other home than the broker that has died");
            }
        }

        /** Does something, and measures how long it takes until all live brokers know all servers as they are. */
        private void measure(String what, long mostMillis, Runnable act) {
            long began = timeline.nanos();
            long real = System.nanoTime();
            long operations = history.operations();
            long toldBefore = pushes;
            long[] workBefore = registryWork();
            act.run();
            boolean isDone = within(mostMillis + MOST_MILLIS, this::areAllKnown);
            long millis = (timeline.nanos() - began) / 1_000_000;
            if (!isDone || millis > mostMillis) {
                breaks(what + ": the brokers " + (isDone ? "agreed after " : "did not agree within ") + millis
                        + " ms (expected: at most " + mostMillis + ")");
            }
            double seconds = Math.max(1, millis / 1_000.0);
            long[] work = registryWork();
            lines.add(String.format(
                    Locale.ROOT,
                    "%-26s all brokers agree after %,d ms; store: %,d reads and writes, %.0f/s; told to clients: %,d, %.0f/s a"
                            + " broker; %.0f us of real time for each of %,d tasks of the registries; computed in %,d ms",
                    what,
                    millis,
                    history.operations() - operations,
                    (history.operations() - operations) / seconds,
                    pushes - toldBefore,
                    (pushes - toldBefore) / seconds / brokers,
                    (work[0] - workBefore[0]) / 1_000.0 / Math.max(1, work[1] - workBefore[1]),
                    work[1] - workBefore[1],
                    (System.nanoTime() - real) / 1_000_000));
        }

        private long[] registryWork() {
            long[] sum = new long[2];
            for (SimulatedMember member : members) {
                long[] one = member.registryWork();
                sum[0] += one[0];
                sum[1] += one[1];
            }
            return sum;
        }

        private boolean within(long mostMillis, BooleanSupplier condition) {
            long end = timeline.nanos() / 1_000_000 + mostMillis;
            while (!condition.getAsBoolean()) {
                if (timeline.nanos() / 1_000_000 > end) {
                    return false;
                }
                timeline.runUntil(timeline.nanos() / 1_000_000 + 100);
            }
            return true;
        }

        private boolean areAllKnown() {
            if (servers.stream()
                    .anyMatch(server -> server.home() == null || server.home().isDead())) {
                return false;
            }
            Map<String, Map<String, Long>> truth = new TreeMap<>();
            servers.forEach(server -> truth.computeIfAbsent(server.service(), s -> new TreeMap<>())
                    .put(server.name(), server.incarnation()));
            return truth.keySet().equals(expected.keySet())
                    && members.stream().filter(member -> !member.isDead()).allMatch(member -> truth.entrySet().stream()
                            .allMatch(each -> member.replicas(each.getKey()).equals(each.getValue())))
                    && truth.entrySet().stream()
                            .allMatch(each -> callers.getOrDefault(each.getKey(), List.of()).stream()
                                    .allMatch(client -> client.knows(each.getValue())));
        }
    }
}
