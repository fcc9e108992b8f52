package dev.cleave.lab.chaos;

import dev.cleave.CallException;
import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Planted;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Checks while no link is cut: objects that are held by reference, and two processes of one name. */
final class CalmSteps {

    private static final Set<Planted> SHOWN_HERE = Collections.unmodifiableSet(
            EnumSet.of(Planted.RELEASES_TWICE, Planted.RELEASED_EARLY, Planted.DISPLACED_SERVES));
    private static final String TAKEN = "taken";
    private static final int TURNS = 4;
    private static final int CALLS = 20;
    private static final int ROUNDS = 3;
    private static final int MOST_ROUNDS = 50; // where a defect is to be seen
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 5_000_000;

    private final LinkRig rig;
    private final @Nullable Planted planted;
    private final List<Broken> broken;

    /**
     * Creates some.
     *
     * @param planted a defect that the processes have, or null
     * @param broken gets what was not kept
     */
    CalmSteps(LinkRig rig, @Nullable Planted planted, List<Broken> broken) {
        this.rig = rig;
        this.planted = planted;
        this.broken = broken;
    }

    /** Whether a defect shows here and nowhere else. */
    static boolean show(@Nullable Planted planted) {
        return planted != null && SHOWN_HERE.contains(planted);
    }

    /** Runs them, those alone that show a defect if there is one. */
    void run() {
        if (planted == null || planted == Planted.RELEASES_TWICE || planted == Planted.RELEASED_EARLY) {
            holdObjects();
        }
        if (planted == null || planted == Planted.DISPLACED_SERVES) {
            takeAName();
        }
    }

    /** An object that is called; peers alone hold it in the end. */
    private static final class Held implements Ledger.Ear {

        @Override
        public void told(long call) {}
    }

    /**
     * Servers release references and get them again before the owner has heard of the release; then they alone hold the
     * objects, and call them while unreferenced objects are collected.
     */
    private void holdObjects() {
        int missing = 0;
        int rounds = planted == null ? ROUNDS : MOST_ROUNDS;
        for (int round = 0; round < rounds && missing == 0; round++) {
            keepAnew();
            missing = missing() + missing();
        }
        if (missing > 0) {
            broken.add(new Broken(Invariant.HELD_LIVES, 0, missing + " calls of objects that are held found none"));
        }
        rig.ledgers().forEach(BookedLedger::drop);
    }

    private int missing() {
        System.gc();
        return rig.ledgers().stream().mapToInt(BookedLedger::missing).sum();
    }

    private void keepAnew() {
        List<Ledger> ledgers = new ArrayList<>();
        List<Held> objects = new ArrayList<>();
        for (int client = 0; client < rig.clients(); client++) {
            ledgers.add(rig.ledger(client, LinkRig.DIRECT));
            ledgers.add(rig.ledger(client, LinkRig.RELAYED));
        }
        ledgers.forEach(unused -> objects.add(new Held()));
        keep(ledgers, objects);
        rig.ledgers().forEach(BookedLedger::drop);
        System.gc();
        keep(ledgers, objects);
    }

    /** Each object goes to the replicas in turn. */
    private static void keep(List<Ledger> ledgers, List<Held> objects) {
        for (int i = 0; i < ledgers.size() * TURNS; i++) {
            ledgers.get(i % ledgers.size()).keep(objects.get(i % ledgers.size()));
        }
    }

    /** A server that counts. */
    private static final class Counted implements Probe {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public long again(long call) {
            return once(call);
        }

        @Override
        public long once(long call) {
            calls.incrementAndGet();
            return Probe.resultOf(call);
        }
    }

    /** A second process takes the name of a replica, and leaves: then the first one is back. */
    private void takeAName() {
        Counted first = new Counted();
        Counted second = new Counted();
        Node before = rig.serve("twin", TAKEN, first);
        Probe stub = rig.probe(TAKEN);
        callUntilHeard(stub, first);
        Node after = rig.serve("twin", TAKEN, second);
        callUntilHeard(stub, second);
        int calls = first.calls.get();
        for (int i = 0; i < CALLS; i++) {
            long unused = stub.once(i);
        }
        int late = first.calls.get() - calls;
        if (second.calls.get() == 0 || late > 0) {
            broken.add(new Broken(
                    Invariant.DISPLACED_IS_LEFT,
                    0,
                    "the displaced process has got " + late + " of " + CALLS + " calls, the one in its place "
                            + second.calls.get()));
        }
        after.close();
        if (planted == null && !callUntilHeard(stub, first)) {
            broken.add(new Broken(Invariant.LIVENESS, 0, "the displaced process does not come back to its name"));
        }
        before.close();
    }

    /** Calls until a server has heard one call more; false if it does not in a while. */
    private boolean callUntilHeard(Probe stub, Counted server) {
        int calls = server.calls.get();
        long until = System.nanoTime() + (planted == null ? PATIENCE_NANOS : PATIENCE_NANOS / 10);
        while (server.calls.get() == calls) {
            if (System.nanoTime() - until >= 0) {
                return false;
            }
            try {
                long unused = stub.again(0);
            } catch (CallException e) { // no process has registered yet
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return true;
    }
}
