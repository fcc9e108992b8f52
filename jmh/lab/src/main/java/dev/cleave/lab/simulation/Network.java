package dev.cleave.lab.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Delays, and directions in which nothing gets through; what is held then goes on when they heal, as TCP sends again. */
final class Network {

    private final World world;
    private final Set<String> cut = new HashSet<>();
    private final Map<String, List<Runnable>> held = new HashMap<>();
    private long slowMillis = 2;

    Network(World world) {
        this.world = world;
    }

    World world() {
        return world;
    }

    /** How long the slowest message takes. */
    void slow(long millis) {
        slowMillis = millis;
    }

    long delay(Actor from, Actor to) {
        return from == to ? 1 : 20_000 + world.upTo(slowMillis);
    }

    boolean isCut(Actor from, Actor to) {
        return !cut.isEmpty() && cut.contains(way(from, to));
    }

    /** Nothing gets through in one direction. */
    void cut(Actor from, Actor to) {
        if (cut.add(way(from, to))) {
            world.tell("nothing gets from %s to %s", from.name(), to.name());
        }
    }

    /** Everything gets through again. */
    void heal(Actor from, Actor to) {
        if (cut.remove(way(from, to))) {
            world.tell("all gets from %s to %s again", from.name(), to.name());
            List<Runnable> waiting = held.remove(way(from, to));
            if (waiting != null) {
                waiting.forEach(arrival -> world.after(0, arrival)); // in order, before what is sent from now on
            }
        }
    }

    void carry(Actor from, Actor to, long nanos, Runnable arrival) {
        world.after(nanos, () -> {
            if (isCut(from, to)) {
                held.computeIfAbsent(way(from, to), w -> new ArrayList<>()).add(arrival);
            } else {
                arrival.run();
            }
        });
    }

    private static String way(Actor from, Actor to) {
        return from.name() + ">" + to.name();
    }
}
