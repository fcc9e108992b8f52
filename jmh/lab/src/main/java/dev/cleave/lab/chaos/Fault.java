package dev.cleave.lab.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The rows of the list of faults that are shown with processes. */
enum Fault {
    /** A replica dies without a word, and comes back. */
    KILL_REPLICA("F-R01", "kill -9 a replica", Duration.ofMillis(1_500), Workload.CALLERS) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.kill(replica);
            pause(3_000);
            rig.revive(replica);
        }
    },
    /** A replica is frozen for less than it takes to be suspect. */
    STOP_BRIEFLY("F-R02", "SIGSTOP a replica for 2 s", Duration.ofMillis(3_000), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.stop(replica);
            pause(2_000);
            rig.goOn(replica);
        }
    },
    /** A replica is frozen until it has been given up, and goes on. */
    ZOMBIE("F-R03", "SIGSTOP a replica for 9 s, then SIGCONT", Duration.ofMillis(4_500), Workload.CALLERS) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.stop(replica);
            pause(9_000);
            rig.goOn(replica);
        }
    },
    /** The broker dies, and comes back. */
    KILL_BROKER("F-R05", "kill -9 the broker, back after 5 s", Duration.ofMillis(1_500), Workload.CALLERS) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.killBroker();
            pause(5_000);
            rig.reviveBroker();
        }
    },
    /** The broker is frozen for a while. */
    STOP_BROKER("F-R05b", "SIGSTOP the broker for 4 s", Duration.ofMillis(1_500), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.stopBroker();
            pause(4_000);
            rig.goOnBroker();
        }
    },
    /** The broker ends when asked to, and comes back. */
    RESTART_BROKER("F-R05c", "SIGTERM the broker, back at once", Duration.ofMillis(1_500), Workload.CALLERS) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.endBroker();
            rig.reviveBroker();
        }
    },
    /** Connections are cut, while both sides live: servers remember the replies that are lost with them. */
    CUT_LINKS("F-T06", "cut callers from replicas, 10 times", Duration.ofMillis(1_500), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            for (int i = 0; i < 10; i++) {
                rig.cutLinks();
                pause(500);
            }
        }
    },
    /** A replica has a tenth of its time: what it answers is late. */
    SLOW_REPLICA("F-R14", "a replica runs a tenth of the time, 6 s", Duration.ofMillis(3_000), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            for (int i = 0; i < 20; i++) {
                rig.stop(replica);
                pause(270);
                rig.goOn(replica);
                pause(30);
            }
        }
    },
    /** A replica is asked by the broker to leave, and comes back. */
    DRAIN("F-X02b", "cleave drain a replica, back at once", Duration.ofMillis(1_500), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.drain(replica);
            rig.revive(replica);
        }
    },
    /** A replica leaves as planned, and comes back. */
    LEAVE("F-X02", "SIGTERM a replica (drain), back at once", Duration.ofMillis(1_500), 0) {
        @Override
        void inject(Rig rig, int replica) throws InterruptedException {
            rig.leave(replica);
            rig.revive(replica);
        }
    };

    private final String id;
    private final String what;
    private final Duration mostStall;
    private final int mostInDoubt;

    Fault(String id, String what, Duration mostStall, int mostInDoubt) {
        this.id = id;
        this.what = what;
        this.mostStall = mostStall;
        this.mostInDoubt = mostInDoubt;
    }

    /** Breaks something, and mends it. */
    abstract void inject(Rig rig, int replica) throws InterruptedException;

    String id() {
        return id;
    }

    String what() {
        return what;
    }

    /** How long a direct idempotent call may take while this happens. */
    Duration mostStall() {
        return mostStall;
    }

    /** How many calls may end in doubt each time: none where those who know live on; else what callers have in flight. */
    int mostInDoubt() {
        return mostInDoubt;
    }

    /** How long the fault lasts is what it is about. */
    private static void pause(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
