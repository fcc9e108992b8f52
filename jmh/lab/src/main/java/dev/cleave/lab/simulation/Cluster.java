package dev.cleave.lab.simulation;

import static java.util.Objects.requireNonNull;

import dev.cleave.lab.history.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A broker, replicas and clients of one simulated world. */
final class Cluster {

    private final World world;
    private final Network network;
    private final SimulatedBroker broker;
    private final Store store = new Store();
    private final Map<String, SimulatedServer> servers = new TreeMap<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private long nextCall;

    Cluster(World world, Rules rules, int replicas, int callers) {
        this.world = world;
        network = new Network(world);
        broker = new SimulatedBroker(world, rules);
        for (int i = 0; i < replicas; i++) {
            servers.put("r" + i, new SimulatedServer(world, network, broker, rules, store, "r" + i));
        }
        for (int i = 0; i < callers; i++) {
            clients.add(new SimulatedClient(world, network, broker, rules, servers, "c" + i));
        }
    }

    /** Starts all processes. */
    void start() {
        broker.start();
        servers.values().forEach(Actor::start);
        clients.forEach(Actor::start);
    }

    Network network() {
        return network;
    }

    Random random() {
        return world.random();
    }

    SimulatedBroker broker() {
        return broker;
    }

    SimulatedServer anyServer() {
        return requireNonNull(servers.get("r" + random().nextInt(servers.size())));
    }

    SimulatedClient anyClient() {
        return clients.get(random().nextInt(clients.size()));
    }

    /** Returns a random process other than a server. */
    Actor anyNode() {
        return random().nextInt(4) == 0 ? broker : anyClient();
    }

    /** Does something within a number of milliseconds. */
    void later(long millis, Runnable task) {
        world.after(world.upTo(millis), task);
    }

    void split(List<Actor> apart) {
        crossings(apart, network::cut);
    }

    void heal(List<Actor> apart) {
        crossings(apart, network::heal);
    }

    /** Makes calls at random times within a while. */
    void calls(int count, Duration within) {
        for (int i = 0; i < count; i++) {
            SimulatedClient client = anyClient();
            boolean idempotent = random().nextBoolean();
            long number = nextCall++;
            world.after(world.upTo(within.toMillis()), () -> client.call(number, idempotent));
        }
    }

    /** One client makes calls all at once, within a while: they wait at their replicas. */
    void burst(int count, Duration within) {
        SimulatedClient client = anyClient();
        long at = world.upTo(within.toMillis());
        for (int i = 0; i < count; i++) {
            boolean idempotent = random().nextBoolean();
            long number = nextCall++;
            world.after(at, () -> client.call(number, idempotent));
        }
    }

    /** One client makes calls one after the other, from some time within a while on. */
    void chain(int count, Duration within) {
        SimulatedClient client = anyClient();
        long first = nextCall;
        nextCall += count;
        world.after(world.upTo(within.toMillis()), () -> link(client, first, count));
    }

    private void link(SimulatedClient client, long number, int left) {
        if (left > 0) {
            client.call(number, number % 2 == 0, () -> link(client, number + 1, left - 1));
        }
    }

    /** Each client makes some idempotent calls; returns their numbers. */
    List<Long> idempotentCalls(int each) {
        List<Long> numbers = new ArrayList<>();
        for (SimulatedClient client : clients) {
            for (int i = 0; i < each; i++) {
                numbers.add(nextCall);
                client.call(nextCall++, true);
            }
        }
        return numbers;
    }

    /** Mends all, but for one server that is left dead. */
    void mend() {
        network.slow(2);
        for (Actor one : all()) {
            for (Actor other : all()) {
                network.heal(one, other);
            }
        }
        all().forEach(Actor::thaw);
        broker.start();
        SimulatedServer dead = anyServer();
        servers.values().stream().filter(server -> server != dead).forEach(Actor::start);
    }

    /** Whether all calls have ended. */
    boolean hasEnded() {
        return clients.stream().allMatch(c -> c.outcomes().size() >= c.calls().size());
    }

    List<Outcome> outcomes() {
        return clients.stream().flatMap(client -> client.outcomes().stream()).toList();
    }

    List<SimulatedCall> calls() {
        return clients.stream().flatMap(client -> client.calls().stream()).toList();
    }

    /** The calls that a server began though their time was over. */
    List<Long> late() {
        return servers.values().stream()
                .flatMap(server -> server.late().stream())
                .toList();
    }

    /** The calls that failed because no replica was known. */
    List<Long> homeless() {
        return clients.stream()
                .flatMap(client -> client.homeless().stream())
                .map(SimulatedCall::number)
                .toList();
    }

    /** The store of the replicas. */
    Store store() {
        return store;
    }

    /** The names of the servers that live. */
    List<String> alive() {
        return servers.values().stream().filter(Actor::isAlive).map(Actor::name).toList();
    }

    Map<Long, Integer> executions() {
        Map<Long, Integer> all = new HashMap<>();
        servers.values().forEach(server -> server.executions().forEach((call, n) -> all.merge(call, n, Integer::sum)));
        return all;
    }

    private List<Actor> all() {
        List<Actor> all = new ArrayList<>(servers.values());
        all.addAll(clients);
        all.add(broker);
        return all;
    }

    private void crossings(List<Actor> apart, BiConsumer<Actor, Actor> action) {
        for (Actor one : apart) {
            for (Actor other : all()) {
                if (!apart.contains(other)) {
                    action.accept(one, other);
                    action.accept(other, one);
                }
            }
        }
    }
}
