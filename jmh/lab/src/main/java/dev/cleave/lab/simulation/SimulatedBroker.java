package dev.cleave.lab.simulation;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.health.Health;
import dev.cleave.broker.health.Patient;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.config.Bindings;
import dev.cleave.config.Pings;
import dev.cleave.lab.history.Planted;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Lease;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.Watch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A broker: the real registry and the real health behind simulated connections. */
final class SimulatedBroker extends Actor {

    private static final Duration LEASE = Duration.ofSeconds(60);

    private final Rules rules;
    private @Nullable Registry registry;
    private @Nullable Health health;
    private int sessions;

    SimulatedBroker(World world, Rules rules) {
        super(world, "broker");
        this.rules = rules;
    }

    /** The registered replicas of a service. */
    ReplicaSet replicas(String service) {
        Registry known = registry;
        return known == null ? ReplicaSet.unknown(service) : known.lookup(service);
    }

    @Override
    void begin() {
        registry = new Registry(Bindings.NONE, LEASE, world()::nanos);
        health = new Health(registry, Pings.DEFAULT, world()::nanos, alarm -> world().tell("broker: %s", alarm));
        tick();
    }

    private void tick() {
        after(Pings.DEFAULT.every().toNanos(), () -> {
            health().onInterval();
            registry().expire();
            tick();
        });
    }

    private Registry registry() {
        return requireNonNull(registry);
    }

    private Health health() {
        return requireNonNull(health);
    }

    @Override
    Wire.Handler accept(Wire.End end) {
        Session session = new Session(end, ++sessions);
        health().joined(session);
        return session;
    }

    /** A connection, as the registry and the health see it. */
    private final class Session implements Patient, Wire.Handler {

        private final Wire.End end;
        private final int number;
        private boolean heard;

        private Session(Wire.End end, int number) {
            this.end = end;
            this.number = number;
        }

        @Override
        public void onMessage(Object message) {
            heard = true;
            try {
                handle(message);
            } catch (RefusedException e) {
                world().tell("broker refuses %s: %s", end.peer().name(), String.valueOf(e.getMessage()));
                long id = message instanceof RegisterReplica said ? said.id() : 0;
                end.send(new Failure(0, id, e.code(), Execution.NOT, String.valueOf(e.getMessage())));
            }
        }

        private void handle(Object message) {
            if (message instanceof Ping ping) {
                end.send(new Pong(ping.id(), Load.NONE));
            } else if (message instanceof Pong pong) {
                health().answered(this, pong.id(), pong.load());
            } else if (message instanceof RegisterReplica said) {
                int lease = registry().register(this, said);
                health().registered(this);
                end.send(new Registered(said.id(), lease));
            } else if (message instanceof Watch said) {
                end.send(registry().watch(this, said.service()));
            } else if (message instanceof Lease said) {
                int unused = registry().renew(this, said.leaseMillis());
            } else {
                throw new AssertionError(message);
            }
        }

        @Override
        public void onClose() {
            if (rules.has(Planted.BELIEVES_EMPTY)) {
                health().lost(this);
                registry().lost(this);
            } else {
                health().gone(this);
            }
        }

        @Override
        public void changed(ReplicaSet replicas) {
            end.send(replicas);
        }

        @Override
        public void ping(long id) {
            end.send(new Ping(id));
        }

        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public boolean takeHeard() {
            boolean was = heard;
            heard = false;
            return was;
        }

        @Override
        public void giveUp(String why) {
            world().tell("broker gives up %s: %s", end.peer().name(), why);
            end.close();
            onClose();
        }

        @Override
        public String address() {
            return end.peer().name();
        }

        @Override
        public int hashCode() {
            return number; // the order in tables must not depend on the run
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }
}
