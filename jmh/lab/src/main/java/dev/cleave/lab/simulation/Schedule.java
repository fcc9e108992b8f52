package dev.cleave.lab.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The kinds of faults and their order. Each step injects one fault, and repairs it some time later. */
enum Schedule {
    /** Connections are held up one after the other, and let go in another order. */
    SWIZZLE_CLOG {
        @Override
        void inject(Cluster cluster) {
            Actor one = cluster.anyServer();
            Actor other = cluster.anyNode();
            cluster.network().cut(one, other);
            cluster.network().cut(other, one);
            cluster.later(12_000, () -> {
                cluster.network().heal(one, other);
                cluster.network().heal(other, one);
            });
        }
    },
    /** Replicas are frozen until they are given up, and go on. */
    ZOMBIE {
        @Override
        void inject(Cluster cluster) {
            Actor zombie = cluster.anyServer();
            zombie.freeze();
            cluster.later(15_000, zombie::thaw);
        }
    },
    /** Nothing gets through in one direction. */
    ONE_WAY {
        @Override
        void inject(Cluster cluster) {
            Actor one = cluster.anyNode();
            Actor other = cluster.anyServer();
            cluster.network().cut(one, other);
            cluster.later(10_000, () -> cluster.network().heal(one, other));
        }
    },
    /** Everything takes long, and the broker stands still. */
    SLOW_OBSERVER {
        @Override
        void inject(Cluster cluster) {
            cluster.network().slow(300);
            cluster.broker().freeze();
            cluster.later(16_000, () -> {
                cluster.broker().thaw();
                cluster.calls(20, Duration.ofMillis(400)); // while all come back to it
                cluster.later(1_000, () -> cluster.network().slow(2));
            });
        }
    },
    /** The broker and some servers are cut off from the others. */
    SPLIT_THEN_HEAL {
        @Override
        void inject(Cluster cluster) {
            List<Actor> apart = List.of(cluster.broker(), cluster.anyServer());
            cluster.split(apart);
            cluster.later(20_000, () -> cluster.heal(apart));
        }
    },
    /** Connections are reset time and again, while the processes at both ends live. */
    CUT_LINKS {
        @Override
        void inject(Cluster cluster) {
            for (int i = 0; i < 5; i++) {
                cluster.later(1 + cluster.random().nextInt(6_000), () -> cluster.anyClient()
                        .cutLinks());
            }
        }
    },
    /** The replicas die and come back, one after the other. */
    ROLLING_KILL {
        @Override
        void inject(Cluster cluster) {
            Actor victim = cluster.random().nextInt(5) == 0 ? cluster.broker() : cluster.anyServer();
            victim.crash();
            cluster.later(6_000, victim::start);
        }
    },
    /** The clock of a machine is set, and its server restarts. */
    CLOCK_JUMP {
        @Override
        void inject(Cluster cluster) {
            SimulatedServer server = cluster.anyServer();
            server.jump((cluster.random().nextBoolean() ? 1 : -1) * 3_600_000L);
            server.crash();
            cluster.later(2_000, server::start);
        }
    },
    /** All kinds of faults. */
    EVERYTHING {
        @Override
        void inject(Cluster cluster) {
            Random random = cluster.random();
            values()[random.nextInt(EVERYTHING.ordinal())].inject(cluster);
        }
    },
    /** Replicas have no room, and connections are reset. */
    CROWDED {
        @Override
        void inject(Cluster cluster) {
            for (int i = 0; i < 4; i++) {
                cluster.burst(25, Duration.ofMillis(400));
                cluster.later(500, () -> cluster.anyClient().cutLinks());
            }
        }
    };

    /** Returns the schedule of a seed; crowds replace every other {@link #EVERYTHING}. */
    static Schedule of(long seed) {
        int count = EVERYTHING.ordinal() + 1;
        Schedule turn = values()[Math.floorMod(seed, count)];
        return turn == EVERYTHING && Math.floorMod(Math.floorDiv(seed, count), 2) == 1 ? CROWDED : turn;
    }

    abstract void inject(Cluster cluster);

    /** Whether it leaves all replicas alive, and lets their callers reconnect at once. */
    boolean sparesReplicas() {
        return this == CUT_LINKS || this == SLOW_OBSERVER || this == CROWDED;
    }

    /** How many calls of a cluster may lose their outcome by a number of faults. */
    int mostInDoubt(int faults) {
        return sparesReplicas() ? 0 : faults * SimulatedServer.MOST_CALLS; // who knows and lives can be asked
    }
}
