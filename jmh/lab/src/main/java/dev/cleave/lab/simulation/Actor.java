package dev.cleave.lab.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A process that can be frozen, die, and live again. What it was about to do while frozen it does afterwards. */
abstract class Actor {

    private final World world;
    private final String name;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private final List<Wire.End> wires = new ArrayList<>();
    private boolean alive;
    private boolean frozen;
    private int life;

    Actor(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** A life begins: nothing is known of an earlier one. */
    abstract void begin();

    /** Accepts a connection, and returns the handler of its messages. */
    abstract Wire.Handler accept(Wire.End end);

    World world() {
        return world;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return alive;
    }

    int life() {
        return life;
    }

    void start() {
        if (!alive) {
            alive = true;
            life++;
            world.tell("%s starts (life %d)", name, life);
            begin();
        }
    }

    /** Dies; its peers learn of it, unless the network keeps it from them. */
    void crash() {
        if (!alive) {
            return;
        }
        world.tell("%s dies", name);
        alive = false;
        frozen = false;
        held.clear();
        List<Wire.End> open = List.copyOf(wires);
        wires.clear();
        open.forEach(Wire.End::vanish);
    }

    void freeze() {
        if (alive && !frozen) {
            world.tell("%s is frozen", name);
            frozen = true;
        }
    }

    void thaw() {
        if (frozen) {
            world.tell("%s goes on", name);
            frozen = false;
            while (!frozen && !held.isEmpty()) {
                held.poll().run();
            }
        }
    }

    /** Does something later in this life. */
    void after(long nanos, Runnable task) {
        int of = life;
        world.after(nanos, () -> act(of, task));
    }

    /** Does something now, if the life it belongs to goes on; when it is frozen, afterwards. */
    void act(int of, Runnable task) {
        if (!alive || of != life) {
            return;
        }
        if (frozen) {
            held.add(() -> act(of, task));
        } else {
            task.run();
        }
    }

    void opened(Wire.End end) {
        wires.add(end);
    }

    void closed(Wire.End end) {
        wires.remove(end);
    }
}
