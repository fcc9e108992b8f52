package dev.cleave.lab.chaos;

import dev.cleave.lab.history.Outcome;
import dev.cleave.node.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The plain loop of 10,000 calls, one after the other, in the middle of which one of three replicas dies or freezes. */
final class Loops {

    static final int CALLS = 10_000;

    private static final int BREAK_AT = 3_000;
    private static final Duration MOST = Duration.ofSeconds(120);

    private final Rig rig;
    private final Pauses pauses;
    private final List<Outcome> outcomes = new ArrayList<>();
    private long nextCall = 1L << 50;

    /**
     * Creates loops that have not run.
     *
     * @param pauses of this machine
     */
    Loops(Rig rig, Pauses pauses) {
        this.rig = rig;
        this.pauses = pauses;
    }

    /** The outcomes of the calls of all loops. */
    List<Outcome> outcomes() {
        return outcomes;
    }

    /** Runs the four loops, and adds a row for each when it has ended. */
    void run(List<Row> rows) throws InterruptedException {
        for (boolean idempotent : new boolean[] {true, false}) {
            String calls = idempotent ? "10,000 idempotent calls" : "10,000 plain calls";
            Row kill = new Row("loop", calls + ", kill -9", 1_000, idempotent ? 0 : 1);
            run(kill, idempotent, () -> rig.kill(0));
            rig.revive(0);
            rows.add(kill);
            Row stop = new Row("loop", calls + ", SIGSTOP", idempotent ? 4_000 : 7_000, idempotent ? 0 : 1);
            run(stop, idempotent, () -> rig.stop(1));
            rig.goOn(1);
            rows.add(stop);
        }
    }

    /** Something that breaks a process. */
    private interface Break {

        void run() throws InterruptedException;
    }

    private void run(Row row, boolean idempotent, Break what) throws InterruptedException {
        row.injected();
        long unused = pauses.take();
        CountDownLatch middle = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread breaker = new Thread(() -> {
            try {
                middle.await();
                what.run();
            } catch (InterruptedException | RuntimeException e) {
                failure.set(e);
            }
        });
        breaker.setDaemon(true);
        breaker.start();
        long until = System.nanoTime() + MOST.toNanos();
        try (Node node = rig.client("loop")) {
            Probe probe = node.lookup(ChaosHost.DIRECT, Probe.class);
            for (int i = 0; i < CALLS && System.nanoTime() < until; i++) {
                if (i == BREAK_AT) {
                    middle.countDown();
                }
                Outcome outcome = make(probe, nextCall++, idempotent);
                outcomes.add(outcome);
                row.add(outcome, true);
            }
        }
        row.paused(pauses.take());
        if (middle.getCount() > 0) {
            row.cutShort();
            middle.countDown(); // what follows mends what this breaks
        }
        breaker.join(MOST.toMillis());
        if (breaker.isAlive()) {
            throw new IllegalStateException("could not break it within " + MOST.toSeconds() + " s");
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("could not break it: " + failed.getMessage(), failed);
        }
    }

    private static Outcome make(Probe probe, long call, boolean idempotent) {
        long began = System.nanoTime();
        try {
            long result = idempotent ? probe.again(call) : probe.once(call);
            return Outcome.of(call, idempotent, null, result, began, System.nanoTime());
        } catch (RuntimeException e) { // whatever it is, it is the outcome
            return Outcome.of(call, idempotent, e, 0, began, System.nanoTime());
        }
    }
}
