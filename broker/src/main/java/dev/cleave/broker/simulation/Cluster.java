package dev.cleave.broker.simulation;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.history.Outcome;
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
    private final Map<String, SimulatedServer> servers = new TreeMap<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private long nextCall;

    Cluster(World world, int replicas, int callers) {
        this.world = world;
        network = new Network(world);
        broker = new SimulatedBroker(world);
        for (int i = 0; i < replicas; i++) {
            servers.put("r" + i, new SimulatedServer(world, network, broker, "r" + i));
        }
        for (int i = 0; i < callers; i++) {
            clients.add(new SimulatedClient(world, network, broker, servers, "c" + i));
        }
    }

    /** All begin to live. */
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

    /** Anybody but a server. */
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
        return clients.stream().allMatch(c -> c.outcomes().size() == c.made().size());
    }

    List<Outcome> outcomes() {
        return clients.stream().flatMap(client -> client.outcomes().stream()).toList();
    }

    List<Long> made() {
        return clients.stream().flatMap(client -> client.made().stream()).toList();
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
