package dev.cleave.migration;

import dev.cleave.config.Bindings;
import dev.cleave.config.Linkage;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Loaded;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * Replicas, their callers and a broker in simulated time. What broker and replicas say to each other may be lost, doubled, late
 * and out of order; what callers and replicas say to each other is in order, and breaks off when a replica dies.
 */
final class MigrationModel {

    static final long MILLI = 1_000_000;

    /** How a call ended. */
    enum Outcome {
        OK,
        NOT_EXECUTED,
        IN_DOUBT
    }

    /** What goes wrong between broker and replicas, each of 100. */
    record Faults(int lost, int doubled, int late) {

        static final Faults NONE = new Faults(0, 0, 0);
    }

    private record Event(long at, long number, Runnable what) {}

    /** One call, as its caller and the log of all executions know it. */
    final class Call {

        final int number;
        final long work;
        final List<Outcome> outcomes = new ArrayList<>();
        int begun;
        int moves;
        Replica at; // where its caller has sent it

        private Call(int number, long work) {
            this.number = number;
            this.work = work;
        }

        private void send(Replica to) {
            Life life = to.life;
            if (life == null) {
                Replica other = anyAlive();
                if (other == null) {
                    end(Outcome.NOT_EXECUTED);
                } else {
                    send(other);
                }
                return;
            }
            at = to;
            life.inOrder(life.toReplica, () -> life.take(this));
            life.callers.add(this);
        }

        private void end(Outcome outcome) {
            outcomes.add(outcome);
            at = null;
        }
    }

    /** A replica, which may die and come back. */
    final class Replica {

        final String name;
        final double slowness;
        Life life;

        private Replica(String name, double slowness) {
            this.name = name;
            this.slowness = slowness;
            life = new Life(this);
        }

        void die() {
            Life dead = life;
            life = null;
            migration.left(name);
            // each caller that believes its call to be there learns only that the connection is gone
            for (Call call : dead.callers) {
                at(now + delay(), () -> {
                    if (call.at == this && call.outcomes.isEmpty()) {
                        call.end(Outcome.IN_DOUBT);
                    }
                });
            }
        }

        void comeBack() {
            life = new Life(this);
            join(this);
        }
    }

    /** One direction of a connection: nothing overtakes. */
    private static final class Line {

        private long free;
    }

    /** A replica between birth and death. */
    final class Life {

        private final Replica replica;
        private final Deque<Call> queue = new ArrayDeque<>();
        private final Set<Call> callers = new HashSet<>();
        private final Line toReplica = new Line();
        private final Line toCaller = new Line();
        private final Line toBroker = new Line();
        private final Line fromBroker = new Line();
        private Grants grants = new Grants();
        private LoadBand band;
        private Call running;
        private long arrived;

        private Life(Replica replica) {
            this.replica = replica;
        }

        private boolean isAlive() {
            return replica.life == this;
        }

        int load() {
            return queue.size() + (running == null ? 0 : 1);
        }

        /** Something that arrives, unless the replica has died meanwhile. */
        private void inOrder(Line line, Runnable what) {
            line.free = Math.max(line.free, now + delay());
            at(line.free, () -> {
                if (isAlive()) {
                    what.run();
                }
            });
        }

        private void watched(List<Integer> edges) {
            grants = new Grants();
            band = new LoadBand(edges);
            tellIfNew();
        }

        private void take(Call call) {
            arrived += call.moves > 0 ? 1 : 0;
            queue.add(call);
            runNext();
            tellIfNew();
        }

        private void runNext() {
            if (running != null || queue.isEmpty()) {
                return;
            }
            Call call = queue.remove();
            running = call;
            call.begun++;
            at(now + (long) (call.work * replica.slowness), () -> {
                if (isAlive()) {
                    running = null;
                    finished = now;
                    inOrder(toCaller, () -> answered(call));
                    runNext();
                    tellIfNew();
                }
            });
        }

        private void answered(Call call) {
            if (call.at == replica) {
                callers.remove(call);
                call.end(Outcome.OK);
            }
        }

        private void claimed(CallClaim claim) {
            int before = load();
            int most = grants.most(claim, queue.size(), running == null ? 0 : 1);
            for (int i = 0; i < most; i++) {
                Call call = queue.removeLast();
                granted.accept(call, claim.epoch());
                inOrder(toCaller, () -> movedOn(call, claim.receiver()));
            }
            if (most > 0) {
                onGrant.granted(this, before, claim, most);
            }
            say(
                    replica,
                    new CallGrant(claim.epoch(), "s", claim.receiver(), most, queue.size(), running == null ? 0 : 1));
            if (band != null) {
                band.told(load());
            }
        }

        private void movedOn(Call call, String receiver) {
            if (call.at == replica) {
                callers.remove(call);
                call.moves++;
                moves++;
                call.send(named(receiver));
            }
        }

        private void tellIfNew() {
            if (band != null && band.leaves(load())) {
                band.told(load());
                say(replica, new Loaded("s", queue.size(), running == null ? 0 : 1, arrived));
            }
        }
    }

    /** Told of each call that is given away. */
    interface Granted {
        void accept(Call call, long epoch);
    }

    /** Told of each grant. */
    interface Grant {
        void granted(Life owner, int loadBefore, CallClaim claim, int calls);
    }

    final Random random;
    final List<Replica> replicas = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    Granted granted = (call, epoch) -> {};
    Grant onGrant = (owner, before, claim, count) -> {};
    long now;
    long finished;
    int moves;
    int claims;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final List<Linkage> linkages;
    private final Faults faults;
    private Migration migration;
    private int brokers;
    private long scheduled;

    MigrationModel(Random random, String expression, Faults faults, double... slowness) {
        this.random = random;
        this.faults = faults;
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < slowness.length; i++) {
            names.append(i == 0 ? "" : ", ").append("{name: r").append(i).append('}');
            replicas.add(new Replica("r" + i, slowness[i]));
        }
        linkages = Bindings.parse(
                        "services: {s: {replicas: [" + names + "], migrate: [\"" + expression + "\"]}}", "model")
                .service("s")
                .orElseThrow()
                .dispatch()
                .migrate();
        restartBroker();
    }

    void at(long time, Runnable what) {
        events.add(new Event(time, scheduled++, what));
    }

    Call submit(long work, Replica to) {
        Call call = new Call(calls.size(), work);
        calls.add(call);
        call.send(to);
        return call;
    }

    /** A broker without memory takes the place of the old one. */
    void restartBroker() {
        brokers++;
        migration = new Migration("s", linkages, () -> now);
        replicas.stream().filter(r -> r.life != null).forEach(this::join);
    }

    /** Runs until nothing is left to happen; false if that takes too long. */
    boolean runs() {
        for (int count = 0; count < 1_000_000; count++) {
            Event event = events.poll();
            if (event == null) {
                return true;
            }
            now = event.at();
            event.what().run();
        }
        return false;
    }

    Replica anyAlive() {
        List<Replica> alive = replicas.stream().filter(r -> r.life != null).toList();
        return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
    }

    private Replica named(String name) {
        return replicas.stream().filter(r -> r.name.equals(name)).findFirst().orElseThrow();
    }

    private void join(Replica replica) {
        migration.joined(replica.name);
        List<Integer> edges = migration.edges(replica.name);
        Life life = replica.life;
        at(now + delay(), () -> {
            if (life.isAlive()) {
                life.watched(edges);
            }
        });
    }

    private long delay() {
        return 50_000 + random.nextInt(450_000);
    }

    /** A replica says something to the broker. */
    private void say(Replica from, Frame frame) {
        int broker = brokers;
        Life life = from.life;
        carry(life.toBroker, () -> {
            if (broker == brokers && life.isAlive()) {
                order(
                        frame instanceof Loaded loaded
                                ? migration.loaded(from.name, loaded)
                                : migration.granted(from.name, (CallGrant) frame));
            }
        });
    }

    private void order(List<Migration.Order> orders) {
        int broker = brokers;
        for (Migration.Order order : orders) {
            claims++;
            Life owner = named(order.owner()).life;
            if (owner != null) {
                carry(owner.fromBroker, () -> {
                    if (owner.isAlive() && broker == brokers) {
                        owner.claimed(order.claim());
                    }
                });
            }
        }
        long due = migration.dueAt();
        if (due != Long.MAX_VALUE) {
            at(Math.max(due, now + 1), () -> {
                if (broker == brokers && now >= migration.dueAt()) {
                    order(migration.due());
                }
            });
        }
    }

    private void carry(Line line, Runnable message) {
        if (random.nextInt(100) >= faults.lost) {
            boolean isLate = random.nextInt(100) < faults.late;
            line.free = Math.max(line.free, now + delay());
            at(isLate ? now + random.nextInt(80) * MILLI : line.free, message);
        }
        if (random.nextInt(100) < faults.doubled) {
            at(now + random.nextInt(20) * MILLI, message);
        }
    }
}
