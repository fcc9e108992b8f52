package dev.cleave.lab.chaos;

import dev.cleave.broker.process.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The faults of a cluster of brokers that are shown with processes. */
enum ClusterFault {
    /** A broker dies without a word, and comes back. */
    KILL_BROKER("C-01", "kill -9 of a broker", Workload.CALLERS / 2, Calls.DIRECT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.killBroker(broker);
            String note = rehomed(rig, broker);
            rig.reviveBroker(broker);
            return note;
        }
    },
    /** A broker stands still until its session with the store has ended, and goes on. */
    STOP_BROKER("C-02", "SIGSTOP of a broker for 10 s", Workload.CALLERS / 2, Calls.DIRECT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.stopBroker(broker);
            pause(10_000);
            rig.goOnBroker(broker);
            return "";
        }
    },
    /** All brokers end as planned and come back, one after the other. */
    ROLL("C-03", "SIGTERM of each broker in turn", 0, Calls.ALL_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            for (int i = 0; i < ClusterRig.BROKERS; i++) {
                rig.endBroker(i);
                rig.reviveBroker(i);
                settle(rig);
            }
            return "";
        }
    },
    /** The leader of the store dies, and comes back. */
    KILL_LEADER("C-04", "kill -9 of the store's leader", 0, Calls.ALL_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            int leader = rig.leader();
            rig.killNode(leader);
            pause(5_000);
            rig.reviveNode(leader);
            return "";
        }
    },
    /** The leader of the store stands still. */
    STOP_LEADER("C-05", "SIGSTOP of the store's leader for 8 s", 0, Calls.ALL_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            int leader = rig.leader();
            rig.stopNode(leader);
            pause(8_000);
            rig.goOnNode(leader);
            return "";
        }
    },
    /** A follower in the store dies, and comes back. */
    KILL_FOLLOWER("C-06", "kill -9 of a follower in the store", 0, Calls.ALL_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            int follower = (rig.leader() + 1) % ClusterRig.NODES;
            rig.killNode(follower);
            pause(5_000);
            rig.reviveNode(follower);
            return "";
        }
    },
    /** The store has no quorum; a server that starts meanwhile is known everywhere when it has one again. */
    NO_QUORUM("C-07", "the store has no quorum for 60 s", Workload.CALLERS, Calls.IDEMPOTENT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.killNode(0);
            rig.killNode(1);
            pause(30_000);
            rig.killServer(server); // its calls in flight alone may be in doubt
            rig.beginServer(server);
            pause(30_000);
            rig.reviveNode(0);
            rig.reviveNode(1);
            long began = System.nanoTime();
            int unused = rig.leader();
            long elected = millisSince(began);
            boolean isKnown = ClusterRig.await(SETTLE, () -> rig.everyoneKnows(server));
            long took = millisSince(began);
            rig.awaitServer(server);
            require(isKnown && took < REHOME_MILLIS, "a server that came meanwhile was known after " + took + " ms");
            return "quorum after " + elected + " ms, the server that came meanwhile known to all after " + took + " ms";
        }
    },
    /** A broker and the store do not hear each other for longer than the session. */
    CUT_STORE("C-08", "a broker is cut from the store for 12 s", 0, Calls.ALL_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.cutBrokerFromStore(broker);
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** The store does not hear a broker. */
    MUTE_TO_STORE("C-09", "the store does not hear a broker for 12 s", 0, Calls.ALL_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.muteBrokerToStore(broker);
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** Callers and brokers do not hear each other. */
    CUT_CALLERS("C-10", "callers are cut from all brokers for 12 s", Workload.CALLERS / 2, Calls.DIRECT_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.cutCallersFromBrokers();
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** A server and all brokers do not hear each other; callers reach it. */
    CUT_SERVER("C-11", "a server is cut from all brokers for 12 s", Workload.CALLERS / 2, Calls.DIRECT_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.cutServerFromBrokers(server);
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** Servers do not hear a broker, which hears them. */
    MUTE_TO_SERVERS("C-12", "servers do not hear a broker for 12 s", Workload.CALLERS / 2, Calls.DIRECT_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.muteBrokerToServers(broker);
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** A broker and the other brokers do not hear each other; the store hears all. */
    CUT_BROKERS("C-13", "a broker is cut from the others for 12 s", 0, Calls.ALL_GO_ON, true) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.cutBrokerFromBrokers(broker);
            pause(12_000);
            rig.heal();
            return "";
        }
    },
    /** A fifth of all servers stands still. */
    SILENT_SERVERS(
            "C-14", "SIGSTOP of a fifth of the servers for 9 s", Workload.CALLERS, Calls.IDEMPOTENT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.stopServer(server);
            pause(9_000);
            rig.goOnServer(server);
            return "";
        }
    },
    /** A server stands still, a second process takes its name and ends, and the first one goes on. */
    TWO_OWNERS("C-15", "two processes of one server", Workload.CALLERS * 2, Calls.IDEMPOTENT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException {
            rig.stopServer(server);
            Member second = rig.second(server);
            rig.goOnServer(server);
            pause(5_000);
            Rig.signal("KILL", second);
            return "";
        }
    },
    /** The store goes back to what it was before a server had started again and a broker had come back. */
    OLD_SNAPSHOT("C-16", "the store goes back to an old snapshot", Workload.CALLERS, Calls.IDEMPOTENT_GO_ON, false) {
        @Override
        String inject(ClusterRig rig, int broker, int server) throws InterruptedException, IOException {
            killAll(rig);
            Path copy = rig.copyStore();
            reviveAll(rig);
            settle(rig);
            rig.killServer(server);
            rig.beginServer(server);
            rig.awaitServer(server);
            settle(rig);
            killAll(rig);
            rig.restoreStore(copy);
            reviveAll(rig);
            return "";
        }
    };

    /** How long all brokers may take to agree again when a fault is over. */
    static final Duration SETTLE = Duration.ofSeconds(60);

    private static final long REHOME_MILLIS = 10_000;

    /** The calls that end with a result whatever happens. */
    enum Calls {
        /** All of them. */
        ALL_GO_ON,
        /** Direct ones, idempotent or not. */
        DIRECT_GO_ON,
        /** Direct ones that are idempotent: servers break, too. */
        IDEMPOTENT_GO_ON
    }

    /** A promise was not kept. */
    static final class PromiseException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private PromiseException(String message) {
            super(message);
        }
    }

    private final String id;
    private final String what;
    private final int mostInDoubt;
    private final Calls calls;
    private final boolean needsNetwork;

    ClusterFault(String id, String what, int mostInDoubt, Calls calls, boolean needsNetwork) {
        this.id = id;
        this.what = what;
        this.mostInDoubt = mostInDoubt;
        this.calls = calls;
        this.needsNetwork = needsNetwork;
    }

    /**
     * Breaks something, and mends it.
     *
     * @return what was measured, in words; or nothing
     * @throws PromiseException if the cluster did not do what it should
     */
    abstract String inject(ClusterRig rig, int broker, int server) throws InterruptedException, IOException;

    String id() {
        return id;
    }

    String what() {
        return what;
    }

    /** How many calls may end in doubt each time: what callers of a broker or of a server that dies have in flight. */
    int mostInDoubt() {
        return mostInDoubt;
    }

    Calls calls() {
        return calls;
    }

    /** Whether processes must be on hosts of their own for it. */
    boolean needsNetwork() {
        return needsNetwork;
    }

    /** Waits until all brokers agree on all servers; returns how long that took. */
    static long settle(ClusterRig rig) throws InterruptedException {
        long began = System.nanoTime();
        require(
                ClusterRig.await(SETTLE, rig::isSettled),
                "the brokers did not agree on all servers within " + SETTLE.toSeconds() + " s");
        return millisSince(began);
    }

    private static String rehomed(ClusterRig rig, int broker) throws InterruptedException {
        long began = System.nanoTime();
        boolean isDone =
                ClusterRig.await(SETTLE, () -> rig.homes().size() == ClusterRig.SERVERS && !rig.isHome(broker));
        long took = millisSince(began);
        require(isDone && took < REHOME_MILLIS, "its servers had a home after " + took + " ms");
        return "servers re-homed after " + took + " ms";
    }

    private static void killAll(ClusterRig rig) throws InterruptedException {
        for (int i = 0; i < ClusterRig.NODES; i++) {
            rig.killNode(i);
        }
    }

    private static void reviveAll(ClusterRig rig) {
        for (int i = 0; i < ClusterRig.NODES; i++) {
            rig.reviveNode(i);
        }
    }

    private static void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new PromiseException(what);
        }
    }

    private static long millisSince(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }

    /** How long the fault lasts is what it is about. */
    private static void pause(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
