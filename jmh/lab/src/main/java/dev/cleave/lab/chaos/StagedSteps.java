package dev.cleave.lab.chaos;

import dev.cleave.CallException;
import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import dev.cleave.lab.history.Planted;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks what nodes do in {@link StagedFaults}: they believe no empty set, run no expired call, and forget no doubt. */
final class StagedSteps {

    static final String BRIEF = "brief"; // a service whose deadline passes soon
    static final String STAGED = "staged";

    private static final Set<Planted> SHOWN_HERE = Collections.unmodifiableSet(
            EnumSet.of(Planted.RUNS_EXPIRED, Planted.BELIEVES_EMPTY, Planted.FORGETS_DOUBT));
    private static final long SEEN = 1; // the number of the call that the step is about
    private static final int CALLS = 20;
    private static final int PATIENCE_SECONDS = 60;
    private static final long LATER = 1_000_000; // versions of a set later than any that the broker makes here

    private final LinkRig rig;
    private final @Nullable Planted planted;
    private final List<Broken> broken;

    /**
     * Creates some.
     *
     * @param planted a defect that the processes have, or null
     * @param broken gets what was not kept
     */
    StagedSteps(LinkRig rig, @Nullable Planted planted, List<Broken> broken) {
        this.rig = rig;
        this.planted = planted;
        this.broken = broken;
    }

    /** Whether a defect shows here and nowhere else. */
    static boolean show(@Nullable Planted planted) {
        return planted != null && SHOWN_HERE.contains(planted);
    }

    /** Runs them, that alone which shows a defect if there is one. */
    void run() throws InterruptedException {
        if (planted == null || planted == Planted.RUNS_EXPIRED) {
            expireInQueue();
        }
        if (planted == null || planted == Planted.FORGETS_DOUBT) {
            loseThenRefuse();
        }
        if (planted == null || planted == Planted.BELIEVES_EMPTY) {
            emptySet();
        }
    }

    /** A server that counts the executions of each call; those of {@code once} wait until they are let go. */
    private static final class Gate implements Probe {

        private final Map<Long, Integer> executions = new ConcurrentHashMap<>();
        private final Semaphore inside = new Semaphore(0);
        private final CountDownLatch open = new CountDownLatch(1);

        private int executions(long call) {
            return executions.getOrDefault(call, 0);
        }

        @Override
        public long again(long call) {
            executions.merge(call, 1, Integer::sum);
            return Probe.resultOf(call);
        }

        @Override
        public long once(long call) {
            inside.release();
            try {
                open.await();
            } catch (InterruptedException e) { // its caller has given up: the place of the worker is free
                Thread.currentThread().interrupt();
            }
            return again(call);
        }
    }

    /** A call whose deadline passes while all workers are busy is not executed, though its cancel is still on its way. */
    private void expireInQueue() throws InterruptedException {
        Gate gate = new Gate();
        try (Node server = rig.serve("gate", STAGED, gate)) {
            server.bind(BRIEF, gate);
            Probe patient = rig.probe(STAGED);
            Probe brief = rig.probe(BRIEF);
            List<Thread> busy = new ArrayList<>();
            for (long call = SEEN + 1; call <= SEEN + LinkRig.WORKERS; call++) {
                long of = call;
                Thread caller = new Thread(() -> patient.once(of), "busy-" + call);
                caller.setDaemon(true);
                caller.start();
                busy.add(caller);
            }
            if (!gate.inside.tryAcquire(LinkRig.WORKERS, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("staged: the workers did not begin the calls that keep them busy");
            }
            rig.staged().holdCancels(true);
            End end = end(() -> brief.again(SEEN));
            // The server counts from the arrival of the request: its time for the call ends later than the caller's.
            End behind = end(() -> brief.again(SEEN + LinkRig.WORKERS + 2));
            rig.staged().holdCancels(false);
            gate.open.countDown();
            for (Thread caller : busy) {
                caller.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            }
            for (int i = 0; i < CALLS; i++) { // they come behind what was in the queue
                long unused = patient.again(SEEN + LinkRig.WORKERS + 1);
            }
            if (gate.executions(SEEN) > 0) {
                broken.add(new Broken(
                        Invariant.EXPIRED_IS_NOT_RUN,
                        SEEN,
                        "executed after it had ended " + end + " in its queue, and another one behind it " + behind));
            }
        }
    }

    /** An idempotent call that was executed and lost, sent again and refused, is not said to be not executed. */
    private void loseThenRefuse() {
        Gate gate = new Gate();
        Node server = rig.serve("lossy", STAGED, gate);
        try {
            Probe stub = rig.probe(STAGED);
            callUntilServed(stub);
            rig.staged().loseAndRefuse(true);
            End end = end(() -> stub.again(SEEN));
            rig.staged().loseAndRefuse(false);
            if (end == End.NOT_EXECUTED && gate.executions(SEEN) > 0) {
                broken.add(
                        new Broken(Invariant.NOT_EXECUTED_IS_NOT, SEEN, "executed, lost, refused, and ended " + end));
            }
            if (end == End.OK || gate.executions(SEEN) != 1) {
                throw new IllegalStateException(
                        "staged: ended " + end + ", executed " + gate.executions(SEEN) + " times");
            }
        } finally {
            server.close();
        }
    }

    /** A service whose replicas a broker reports as gone, without having heard that they leave, goes on being called. */
    private void emptySet() throws InterruptedException {
        Gate gate = new Gate();
        Node server = rig.serve("there", STAGED, gate);
        try {
            Probe stub = rig.probe(STAGED);
            callUntilServed(stub);
            rig.staged().tellOfNone(STAGED, LATER);
            for (long call = SEEN; call < SEEN + CALLS; call++) {
                long of = call;
                End end = end(() -> stub.again(of));
                if (end != End.OK) {
                    broken.add(new Broken(
                            Invariant.LIVENESS, call, "ended " + end + " after an empty set of a frozen broker"));
                    return;
                }
            }
        } finally {
            server.close();
        }
    }

    private static void callUntilServed(Probe stub) {
        long unused = stub.again(0);
    }

    private static End end(Runnable call) {
        try {
            call.run();
            return End.OK;
        } catch (CallException e) {
            return End.of(e);
        }
    }
}
