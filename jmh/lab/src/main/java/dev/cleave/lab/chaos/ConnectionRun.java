package dev.cleave.lab.chaos;

import static java.util.Objects.requireNonNull;

import dev.cleave.DeadlineException;
import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.StoreNodes;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Three brokers and three nodes of ZooKeeper as processes, with many servers of this process connected to them: all register at
 * once, all start again one after the other, and a broker is killed. Each time all brokers, asked one by one, have to know all
 * servers as they are. The counterpart, on this machine, of {@code LargeCluster}.
 */
public final class ConnectionRun {

    private static final int BROKERS = 3;
    private static final int SERVICES = 30;
    private static final int AT_ONCE = 16; // servers that connect
    private static final double RESTARTS_PER_SECOND = 1_000 / 60.0; // of 10,000 servers in ten minutes
    private static final int ATTEMPTS = 5;
    private static final int QUEUE = 16;
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration AGREED = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final NettyOptions OVER_TCP = new NettyOptions(
            NettyOptions.DEFAULT.poller(),
            NettyOptions.DEFAULT.threads(),
            NettyOptions.DEFAULT.connectTimeout(),
            NettyOptions.DEFAULT.allocator()); // as over a network
    private static final String READY = "broker ready at ";
    private static final List<String> OPTIONS = List.of(
            "-Dcleave.samehost=tcp",
            "-Dcleave.insecure=true",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", // else the compiler takes more than half of the processor time
            "-Xmx256m");

    private final int servers;
    private final Path directory;
    private final Consumer<String> progress;
    private final List<String> lines = new ArrayList<>();
    private final List<Member> brokers = new ArrayList<>();
    private final List<Member> stores = new ArrayList<>();
    private final List<BrokerView> views = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<Node> nodes = Collections.synchronizedList(new ArrayList<>());
    private String dead = " " + BrokerView.NO_BROKER; // how the address of the broker ends that was killed
    private boolean kept = true;
    private final AtomicInteger unanswered = new AtomicInteger(); // registrations

    /** The interface of all services. */
    @Remote
    public interface Echo {

        /** Returns its argument. */
        int echo(int value);
    }

    /**
     * The measurements.
     *
     * @param lines for people
     * @param kept whether all brokers agreed each time
     */
    public record Result(List<String> lines, boolean kept) {

        /** Copies its components. */
        public Result {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Creates a run.
     *
     * @param perBroker servers for each broker on average
     * @param progress receives what is done now
     */
    public ConnectionRun(int perBroker, Path directory, Consumer<String> progress) {
        servers = perBroker * BROKERS;
        this.directory = requireNonNull(directory, "directory");
        this.progress = requireNonNull(progress, "progress");
    }

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        Timer timer = SystemTimer.create("cleave-connections");
        ExecutorService openers = Executors.newFixedThreadPool(AT_ONCE);
        try (Fleet fleet = Fleet.open(directory, death -> {});
                Transport transport = NettyTransport.create(OVER_TCP)) {
            StoreNodes nodesOfStore = StoreNodes.start(fleet);
            stores.addAll(nodesOfStore.members());
            for (int i = 0; i < BROKERS; i++) {
                brokers.add(fleet.start(
                        new JvmCommand(
                                        "broker-" + i,
                                        OPTIONS,
                                        Main.class.getName(),
                                        List.of(
                                                "broker",
                                                "--insecure",
                                                "--listen",
                                                "127.0.0.1:0",
                                                "--cluster",
                                                nodesOfStore.address()))
                                .behind(StoreNodes.path()),
                        line -> {}));
            }
            for (Member broker : brokers) {
                Endpoint endpoint =
                        Endpoint.parse(broker.awaitLine(READY, START).substring(READY.length()));
                endpoints.add(endpoint);
                views.add(BrokerView.open(transport, endpoint, timer));
            }
            NodeOptions options = NodeOptions.DEFAULT
                    .withBrokers(endpoints)
                    .withTransport(transport)
                    .withCapacity(1, QUEUE) // a thread for each of thousands of servers
                    .withTimer(timer);
            storm(options, openers);
            roll(options, openers);
            death();
            progress.accept("closing");
            nodes.forEach(node -> openers.execute(node::close));
        } finally {
            openers.shutdown();
            timer.close();
        }
        return new Result(lines, kept);
    }

    private Node serve(NodeOptions options, int number) {
        Node node = Node.connect(options.withName("server-" + number));
        for (int attempt = 1; ; attempt++) {
            try {
                node.bind("service-" + number % SERVICES, Echo.class, value -> value + 1);
                return node;
            } catch (DeadlineException e) { // no answer of the broker within 5 s
                unanswered.incrementAndGet();
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void storm(NodeOptions options, ExecutorService openers) throws InterruptedException {
        measure("registration storm", servers, () -> {
            List<Future<Node>> opened = new ArrayList<>();
            for (int i = 0; i < servers; i++) {
                int number = i;
                opened.add(openers.submit(() -> serve(options, number)));
            }
            for (Future<Node> each : opened) {
                nodes.add(await(each));
            }
            lines.add(String.format(
                    Locale.ROOT, "%,d servers connected at %d brokers, %d each", servers, BROKERS, servers / BROKERS));
        });
    }

    private void roll(NodeOptions options, ExecutorService openers) throws InterruptedException {
        measure("rolling deploy", servers, () -> {
            long began = System.nanoTime();
            List<Future<?>> restarts = new ArrayList<>();
            for (int i = 0; i < servers; i++) {
                int number = i;
                restarts.add(openers.submit(() -> {
                    nodes.get(number).close();
                    nodes.set(number, serve(options, number));
                }));
                long due = began + (long) ((i + 1) / RESTARTS_PER_SECOND * 1e9);
                LockSupport.parkNanos(due - System.nanoTime());
            }
            for (Future<?> each : restarts) {
                await(each);
            }
            lines.add(String.format(
                    Locale.ROOT,
                    "  %.1f servers/s (%.1f wanted)",
                    servers / ((System.nanoTime() - began) / 1e9),
                    RESTARTS_PER_SECOND));
        });
    }

    private static <T> T await(Future<T> open) throws InterruptedException {
        try {
            return open.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void death() throws InterruptedException {
        int left = (int) views.get(0).replicas().values().stream()
                .filter(known -> known.endsWith(" " + BrokerView.HERE))
                .count();
        measure("kill -9 of a broker with " + left + " servers", servers, () -> {
            dead = ":" + endpoints.get(0).port();
            brokers.remove(0).kill();
            views.remove(0).close();
        });
    }

    /** Does something, and waits until all brokers know the same servers, each at home at a broker. */
    private void measure(String what, int expected, Act act) throws InterruptedException {
        progress.accept(what);
        Map<Member, Long> before = new HashMap<>();
        brokers.forEach(broker -> before.put(broker, cpuMillis(broker)));
        stores.forEach(store -> before.put(store, cpuMillis(store)));
        long ownBefore = ownCpuMillis();
        long began = System.nanoTime();
        act.run();
        long acted = System.nanoTime();
        boolean agree = within(() -> areAgreed(expected));
        long now = System.nanoTime();
        kept &= agree;
        if (unanswered.get() > 0) {
            lines.add("  " + unanswered.getAndSet(0) + " registrations had no answer within 5 s and were repeated");
        }
        lines.add(String.format(
                Locale.ROOT,
                "%-40s %s after %,d ms, %,d ms after the last step; processor time: %,d ms a broker, %,d ms all nodes of"
                        + " ZooKeeper, %,d ms the process of the servers",
                what,
                agree ? "all brokers agree" : "NO AGREEMENT",
                (now - began) / 1_000_000,
                (now - acted) / 1_000_000,
                since(before, brokers) / brokers.size(),
                since(before, stores),
                ownCpuMillis() - ownBefore));
    }

    private static long since(Map<Member, Long> before, List<Member> members) {
        return members.stream()
                .mapToLong(member -> cpuMillis(member) - before.getOrDefault(member, 0L))
                .sum();
    }

    private static long ownCpuMillis() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toMillis)
                .orElse(0L);
    }

    /** A step. */
    private interface Act {

        void run() throws InterruptedException;
    }

    private static long cpuMillis(Member member) {
        return ProcessHandle.of(member.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toMillis)
                .orElse(0L);
    }

    private boolean areAgreed(int expected) {
        Map<String, String> first = null;
        for (BrokerView view : views) {
            Map<String, String> known = view.replicas();
            if (known.size() != expected || known.values().stream().anyMatch(this::isHomeless)) {
                return false;
            }
            known.replaceAll(
                    (name, at) -> at.substring(0, at.indexOf(' '))); // the endpoint: each start has another one
            if (first != null && !first.equals(known)) {
                return false;
            }
            first = known;
        }
        return true;
    }

    private boolean isHomeless(String known) {
        return known.endsWith(" " + BrokerView.NO_BROKER) || known.endsWith(dead);
    }

    private static boolean within(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + AGREED.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(LOOK.toMillis());
        }
        return true;
    }
}
