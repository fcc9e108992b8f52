package dev.cleave.jmh.replica;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Do the longest of waiting calls run first, and how much longer than the best schedule do all of them take? 60 calls, of which
 * the five long ones are made last, are sent ahead to four replicas of one worker each. Prints the time of each setting as a
 * multiple of the best schedule: the median of some rounds, 5 unless the first argument is another number. Further arguments are
 * the balance policies to measure. With {@code -Dcleave.longest=5} all jobs take five times as long, so that other programs of the machine
 * count less.
 */
public final class LongestFirst {

    private static final int REPLICAS = 4;
    private static final int TIMES = Integer.getInteger("cleave.longest", 1);
    private static final int SHORT_JOBS = 55;
    private static final int LONG_JOBS = 5;
    private static final int LONG_MILLIS = 150 * TIMES;
    private static final int BYTES_PER_MILLI = 50;

    private static final List<String> BALANCES =
            List.of("demand(2)", "demand(5)", "pull", "least-loaded", "learned", "round-robin");

    private LongestFirst() {}

    /** Sleeps. */
    @Remote
    public interface Jobs {

        /** Takes as many milliseconds as it says. */
        int millis(int millis);

        /** Takes a millisecond for each {@value LongestFirst#BYTES_PER_MILLI} bytes. */
        int bytes(byte[] work);
    }

    private static final class Sleeping implements Jobs {

        @Override
        public int millis(int millis) {
            long end = System.nanoTime() + millis * 1_000_000L;
            for (long left = millis * 1_000_000L; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return millis;
        }

        @Override
        public int bytes(byte[] work) {
            return millis(work.length / BYTES_PER_MILLI);
        }
    }

    /** Prints a line for each setting. */
    public static void main(String[] args) {
        int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
        int[] jobs = jobs();
        double best = Math.max(Arrays.stream(jobs).sum() / (double) REPLICAS, 2.0 * LONG_MILLIS);
        System.out.printf(
                Locale.ROOT,
                "%d jobs on %d replicas, best schedule %.0f ms; times as multiples of it%n"
                        + "%-14s %-7s %12s %12s %12s%n",
                jobs.length,
                REPLICAS,
                best,
                "balance",
                "route",
                "priority",
                "in a loop",
                "none");
        List<String> balances = args.length < 2 ? BALANCES : List.of(args).subList(1, args.length);
        for (String balance : balances) {
            for (String route : List.of("direct", "relay")) {
                System.out.printf(
                        Locale.ROOT,
                        "%-14s %-7s %12.2f %12.2f %12.2f%n",
                        balance,
                        route,
                        median(rounds, route, balance, ", priority: millis", Mode.NOBODY_BLOCKED, jobs) / best,
                        median(rounds, route, balance, ", priority: millis", Mode.IN_ORDER, jobs) / best,
                        median(rounds, route, balance, "", Mode.BYTES, jobs) / best);
            }
        }
    }

    private enum Mode {
        /** No thread waits for a single call. */
        NOBODY_BLOCKED,
        /** One thread waits for the calls in the order of the program. */
        IN_ORDER,
        /** No thread waits, and the time depends on the bytes of the argument. */
        BYTES
    }

    private static int[] jobs() {
        int[] jobs = new int[SHORT_JOBS + LONG_JOBS];
        for (int i = 0; i < SHORT_JOBS; i++) {
            jobs[i] = (2 + i * 7 % 18) * TIMES;
        }
        Arrays.fill(jobs, SHORT_JOBS, jobs.length, LONG_MILLIS);
        return jobs;
    }

    /** Returns the median of the times of all jobs, in milliseconds. */
    private static double median(int rounds, String route, String balance, String priority, Mode mode, int[] jobs) {
        Bindings file = Bindings.parse(
                "services: {jobs: {route: " + route + ", balance: " + balance
                        + ", workers: 1, methods: {millis: {style: async" + priority + "}}}}",
                "cleave.yaml");
        Broker broker =
                Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
        List<Node> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < REPLICAS; i++) {
                Node node = node(broker, file, "n" + i);
                nodes.add(node);
                node.bind("jobs", new Sleeping());
            }
            Node client = node(broker, file, "client");
            nodes.add(client);
            Jobs stub = client.lookup("jobs", Jobs.class);
            while (client.list().get(0).replicas().stream()
                            .filter(replica -> replica.state().name().equals("UP"))
                            .count()
                    < REPLICAS) {
                LockSupport.parkNanos(10_000_000);
            }
            for (int i = 0; i < 2 * REPLICAS; i++) {
                stub.millis(1); // links are made, code is compiled
                stub.bytes(new byte[BYTES_PER_MILLI]);
            }
            double[] times = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                times[i] = time(stub, mode, jobs);
            }
            Arrays.sort(times);
            return times[rounds / 2];
        } finally {
            nodes.forEach(Node::close);
            broker.close();
        }
    }

    private static double time(Jobs stub, Mode mode, int[] jobs) {
        long began = System.nanoTime();
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int millis : jobs) {
            sent.add(
                    mode == Mode.BYTES
                            ? Cleave.async(() -> stub.bytes(new byte[millis * BYTES_PER_MILLI]))
                            : Cleave.async(() -> stub.millis(millis)));
        }
        if (mode == Mode.IN_ORDER) {
            sent.forEach(Pending::await);
        } else {
            CompletableFuture.allOf(
                            sent.stream().map(Pending::toCompletableFuture).toArray(CompletableFuture[]::new))
                    .join();
        }
        return (System.nanoTime() - began) / 1e6;
    }

    private static Node node(Broker broker, Bindings file, String name) {
        return Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withBindings(file));
    }
}
