package dev.cleave.lab.chaos;

import dev.cleave.lab.history.Outcome;
import dev.cleave.node.Node;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Callers, each a thread with a plain loop of calls at a steady pace; every fourth makes the same sort of calls: idempotent or not,
 * direct or relayed.
 */
final class Workload implements AutoCloseable {

    private static final int NODES = 4;
    static final int CALLERS = 16;
    private static final int ID_BITS = 40;

    private final CuttingTransport transport = new CuttingTransport(NettyTransport.create());
    private final List<Node> nodes = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private volatile boolean ending;

    /**
     * A call that has ended.
     *
     * @param outcome how
     * @param direct whether it went to the replica itself
     * @param failure what the caller was told; null with a result
     */
    record Attempt(
            Outcome outcome, boolean direct, @Nullable RuntimeException failure) {}

    /** Gives nodes that call the servers of a run. */
    interface Callees {

        /** A node that calls, whose connections can be cut. */
        Node client(String name, CuttingTransport transport);

        /** Connections that may be cut from now on. */
        default void cuts(CuttingTransport transport) {}
    }

    private Workload() {}

    /** Starts to call. */
    static Workload start(Callees rig, int callsPerSecond) {
        Workload workload = new Workload();
        rig.cuts(workload.transport);
        for (int i = 0; i < NODES; i++) {
            workload.nodes.add(rig.client("caller-" + i, workload.transport));
        }
        long pace = 1_000_000_000L * CALLERS / callsPerSecond;
        for (int i = 0; i < CALLERS; i++) {
            Caller caller = workload.new Caller(i, pace, workload.nodes.get(i % NODES));
            workload.callers.add(caller);
            caller.start();
        }
        return workload;
    }

    /** The calls that have ended since this was last asked for. */
    List<Attempt> take() {
        List<Attempt> taken = new ArrayList<>();
        for (Attempt next = attempts.poll(); next != null; next = attempts.poll()) {
            taken.add(next);
        }
        return taken;
    }

    /**
     * Makes no more calls, and waits until all have ended.
     *
     * @return the numbers of the calls that have not ended within a time
     */
    List<Long> end(Duration most) throws InterruptedException {
        ending = true;
        long until = System.nanoTime() + most.toNanos();
        List<Long> left = new ArrayList<>();
        for (Caller caller : callers) {
            caller.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
            if (caller.isAlive()) {
                left.add(caller.current);
            }
        }
        return left;
    }

    @Override
    public void close() {
        ending = true;
        nodes.forEach(Node::close);
        transport.close();
    }

    private final class Caller extends Thread {

        private final int number;
        private final long paceNanos;
        private final boolean idempotent;
        private final boolean direct;
        private final Probe probe;
        private volatile long current; // call

        private Caller(int number, long paceNanos, Node node) {
            super("chaos-caller-" + number);
            setDaemon(true);
            this.number = number;
            this.paceNanos = paceNanos;
            idempotent = number / NODES % 2 == 0;
            direct = number / NODES < 2;
            probe = node.lookup(direct ? ChaosHost.DIRECT : ChaosHost.RELAYED, Probe.class);
        }

        @Override
        public void run() {
            long next = System.nanoTime();
            for (long call = (long) number << ID_BITS; !ending; call++) {
                current = call;
                attempts.add(make(call));
                next = Math.max(next + paceNanos, System.nanoTime() - 1_000_000_000L);
                LockSupport.parkNanos(this, next - System.nanoTime());
            }
        }

        private Attempt make(long call) {
            long began = System.nanoTime();
            try {
                long result = idempotent ? probe.again(call) : probe.once(call);
                return attempt(Outcome.of(call, idempotent, null, result, began, System.nanoTime()), null);
            } catch (RuntimeException e) { // whatever it is, it is the outcome
                return attempt(Outcome.of(call, idempotent, e, 0, began, System.nanoTime()), e);
            }
        }

        private Attempt attempt(Outcome outcome, @Nullable RuntimeException failure) {
            return new Attempt(outcome, direct, failure);
        }
    }
}
