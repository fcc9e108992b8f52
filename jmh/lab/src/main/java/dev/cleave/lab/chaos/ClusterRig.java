package dev.cleave.lab.chaos;

import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.StoreNodes;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.broker.process.Member;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import dev.cleave.wire.Welcome;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes of ZooKeeper, three brokers and some servers, each a process of its own, and what can be done to them. Where
 * this process may, each has a host of its own, so that they can be cut from each other; else all are on loopback. One
 * thread at a time.
 */
final class ClusterRig implements AutoCloseable, Workload.Callees {

    static final int NODES = 3;
    static final int BROKERS = 3;
    static final int SERVERS = 5;

    private static final int PORT = 7420;
    private static final Duration START = Duration.ofSeconds(120);
    private static final Duration END = Duration.ofSeconds(60);
    private static final String READY = "broker ready at ";
    private static final String ELSEWHERE = "broker ";
    private static final List<String> OPTIONS = List.of(
            "-Dcleave.samehost=tcp",
            "-Dcleave.insecure=true",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m");

    private final Fleet fleet;
    private final @Nullable Hosts hosts;
    private final Path logs;
    private final Path file;
    private final StoreNodes stores;
    private final Member[] brokers = new Member[BROKERS];
    private final Endpoint[] endpoints = new Endpoint[BROKERS];
    private final Member[] servers = new Member[SERVERS];
    private final Node observer;
    private int started;

    private ClusterRig(Fleet fleet, @Nullable Hosts hosts) throws IOException {
        this.fleet = fleet;
        this.hosts = hosts;
        logs = Files.createDirectories(fleet.directory().resolve("executions"));
        file = Files.writeString(fleet.directory().resolve("chaos.yaml"), ChaosHost.FILE);
        stores = StoreNodes.start(fleet, hosts == null ? StoreNodes.onLoopback() : places(hosts));
        for (int i = 0; i < BROKERS; i++) {
            brokers[i] = launchBroker(i, hosts == null ? 0 : PORT);
        }
        for (int i = 0; i < BROKERS; i++) {
            endpoints[i] = ready(brokers[i]);
        }
        for (int i = 0; i < SERVERS; i++) {
            servers[i] = launchServer(i);
        }
        for (Member server : servers) {
            String unused = server.awaitLine(ChaosHost.READY, START);
        }
        observer = ChaosHost.connect(options("observer"));
    }

    /** Starts all; what they print and log goes to a directory. */
    static ClusterRig start(Path directory) throws IOException {
        Fleet fleet = Fleet.open(directory, death -> {});
        Hosts hosts = Hosts.arePossible() ? Hosts.open(NODES + BROKERS + SERVERS) : null;
        try {
            return new ClusterRig(fleet, hosts);
        } catch (RuntimeException | IOException e) {
            fleet.close();
            if (hosts != null) {
                hosts.close();
            }
            throw e;
        }
    }

    /** Whether the processes can be cut from each other. */
    boolean canCut() {
        return hosts != null;
    }

    private static List<StoreNodes.Host> places(Hosts hosts) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> new StoreNodes.Host(
                        hosts.address(hostOfNode(node)), hosts.launcher(hostOfNode(node)), 2181, 2888, 3888))
                .toList();
    }

    private static int hostOfNode(int node) {
        return 1 + node;
    }

    private static int hostOfBroker(int broker) {
        return 1 + NODES + broker;
    }

    private static int hostOfServer(int server) {
        return 1 + NODES + BROKERS + server;
    }

    private NodeOptions options(String name) {
        return NodeOptions.DEFAULT
                .withBrokers(List.of(endpoints))
                .withBindings(ChaosHost.BINDINGS)
                .withName(name);
    }

    @Override
    public Node client(String name, CuttingTransport transport) {
        return ChaosHost.connect(options(name).withTransport(transport));
    }

    // ---- brokers ----

    void killBroker(int broker) throws InterruptedException {
        Rig.signal("KILL", brokers[broker]);
        awaitEnd(brokers[broker]);
    }

    /** Asks a broker to end, and waits until it has. */
    void endBroker(int broker) throws InterruptedException {
        Rig.signal("TERM", brokers[broker]);
        awaitEnd(brokers[broker]);
    }

    void reviveBroker(int broker) {
        brokers[broker] = launchBroker(broker, endpoints[broker].port());
        Endpoint unused = ready(brokers[broker]);
    }

    void stopBroker(int broker) {
        Rig.signal("STOP", brokers[broker]);
    }

    void goOnBroker(int broker) {
        Rig.signal("CONT", brokers[broker]);
    }

    // ---- servers ----

    void stopServer(int server) {
        Rig.signal("STOP", servers[server]);
    }

    void goOnServer(int server) {
        Rig.signal("CONT", servers[server]);
    }

    void killServer(int server) throws InterruptedException {
        Rig.signal("KILL", servers[server]);
        awaitEnd(servers[server]);
    }

    /** Starts a server that has ended; returns before it has registered. */
    void beginServer(int server) {
        servers[server] = launchServer(server);
    }

    /** Waits until a server has registered. */
    void awaitServer(int server) {
        String unused = servers[server].awaitLine(ChaosHost.READY, START);
    }

    /** Starts a second process of a server beside the first; its end is that of the returned one. */
    Member second(int server) {
        Member second = launchServer(server);
        String unused = second.awaitLine(ChaosHost.READY, START);
        return second;
    }

    // ---- the store ----

    void killNode(int node) throws InterruptedException {
        Rig.signal("KILL", stores.members().get(node));
        awaitEnd(stores.members().get(node));
    }

    void reviveNode(int node) {
        stores.revive(node);
    }

    void stopNode(int node) {
        Rig.signal("STOP", stores.members().get(node));
    }

    void goOnNode(int node) {
        Rig.signal("CONT", stores.members().get(node));
    }

    /** The node that leads, as it says itself; waits for the end of an election. */
    int leader() throws InterruptedException {
        int[] leader = {-1};
        boolean isFound = await(START, () -> {
            for (int i = 0; i < NODES && leader[0] < 0; i++) {
                leader[0] = says(i).contains("Mode: leader") ? i : -1;
            }
            return leader[0] >= 0;
        });
        if (!isFound) {
            throw new IllegalStateException("no leader of the store within " + START.toSeconds() + " s");
        }
        return leader[0];
    }

    private String says(int node) {
        StoreNodes.Host host = stores.hosts().get(node);
        try (Socket socket = new Socket(host.address(), host.client())) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Copies what the nodes of the store have written, which do not run. */
    Path copyStore() throws IOException {
        Path copy = Files.createTempDirectory(fleet.directory(), "snapshot");
        for (int i = 0; i < NODES; i++) {
            copy(stores.data(i), copy.resolve(Integer.toString(i)));
        }
        return copy;
    }

    /** Puts what was copied in the place of what the nodes of the store have written, which do not run. */
    void restoreStore(Path copy) throws IOException {
        for (int i = 0; i < NODES; i++) {
            delete(stores.data(i));
            copy(copy.resolve(Integer.toString(i)), stores.data(i));
        }
    }

    // ---- the network ----

    void cutBrokerFromStore(int broker) {
        for (int node = 0; node < NODES; node++) {
            network().cutBoth(hostOfBroker(broker), hostOfNode(node));
        }
    }

    /** The store does not hear a broker, which hears the store. */
    void muteBrokerToStore(int broker) {
        for (int node = 0; node < NODES; node++) {
            network().cut(hostOfBroker(broker), hostOfNode(node));
        }
    }

    void cutCallersFromBrokers() {
        for (int broker = 0; broker < BROKERS; broker++) {
            network().cutBoth(0, hostOfBroker(broker));
        }
    }

    void cutServerFromBrokers(int server) {
        for (int broker = 0; broker < BROKERS; broker++) {
            network().cutBoth(hostOfServer(server), hostOfBroker(broker));
        }
    }

    /** A server does not hear a broker, which hears the server: both believe something else. */
    void muteBrokerToServers(int broker) {
        for (int server = 0; server < SERVERS; server++) {
            network().cut(hostOfBroker(broker), hostOfServer(server));
        }
    }

    void cutBrokerFromBrokers(int broker) {
        for (int other = 0; other < BROKERS; other++) {
            if (other != broker) {
                network().cutBoth(hostOfBroker(broker), hostOfBroker(other));
            }
        }
    }

    void heal() {
        network().heal();
    }

    private Hosts network() {
        if (hosts == null) {
            throw new IllegalStateException("nothing can be cut on loopback");
        }
        return hosts;
    }

    // ---- what the brokers say ----

    /** The broker of each server, by the name of the server, as the observer's broker says; an empty map if none answers. */
    Map<String, String> homes() {
        return homes(observer, "");
    }

    /** Whether a server is registered at a broker, as the brokers that answer say. */
    boolean isHome(int broker) {
        return homes().containsValue(endpoints[broker].toString());
    }

    /** The broker that is home of a server; -1 if none says so. */
    int homeOf(int server) {
        String home = homes().getOrDefault("r" + server, "");
        return IntStream.range(0, BROKERS)
                .filter(broker -> home.equals(endpoints[broker].toString()))
                .findFirst()
                .orElse(-1);
    }

    /** Whether each broker, asked by itself, knows all servers, each at a broker that lives. */
    boolean isSettled() {
        for (Endpoint endpoint : endpoints) {
            if (!knows(endpoint, IntStream.range(0, SERVERS).toArray())) {
                return false;
            }
        }
        return true;
    }

    /** Whether each broker, asked by itself, knows a server. */
    boolean everyoneKnows(int server) {
        for (Endpoint endpoint : endpoints) {
            if (!knows(endpoint, server)) {
                return false;
            }
        }
        return true;
    }

    private boolean knows(Endpoint endpoint, int... all) {
        NodeOptions alone = NodeOptions.DEFAULT
                .withBrokers(List.of(endpoint))
                .withName("observer-alone")
                .withPatience(Duration.ofSeconds(2));
        try (Node node = Node.connect(alone)) {
            Map<String, String> homes = homes(node, endpoint.toString());
            List<String> live = Stream.of(endpoints).map(Endpoint::toString).toList();
            return IntStream.of(all).allMatch(server -> live.contains(homes.getOrDefault("r" + server, "")));
        } catch (RuntimeException e) { // it does not answer
            return false;
        }
    }

    private Map<String, String> homes(Node node, String here) {
        Map<String, String> homes = new TreeMap<>();
        try {
            for (Services.Service service : node.list()) {
                for (Services.Replica replica : service.replicas()) {
                    String at = replica.isElsewhere() ? replica.address().substring(ELSEWHERE.length()) : here;
                    homes.put(replica.name(), at.isEmpty() ? homeHere(node) : at);
                }
            }
        } catch (RuntimeException e) { // no broker answers now
            return Map.of();
        }
        return homes;
    }

    /** The broker to which a node of several brokers is connected: the one that its list does not name as elsewhere. */
    private String homeHere(Node node) {
        String id = node.broker().orElse("");
        return node.brokers().stream()
                .filter(broker -> broker.id().equals(id))
                .map(Welcome.Broker::endpoint)
                .findFirst()
                .orElse("");
    }

    /** Waits; says whether a condition came true in time. */
    static boolean await(Duration most, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return true;
    }

    /** How often each call was begun, by all lives of all servers. */
    Map<Long, Integer> executions() throws IOException {
        Map<Long, Integer> counts = new HashMap<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path each : files.toList()) {
                for (String line : Files.readAllLines(each)) {
                    counts.merge(Long.parseLong(line), 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    @Override
    public void close() {
        try {
            observer.close();
            fleet.close();
        } finally {
            if (hosts != null) {
                hosts.close();
            }
        }
    }

    private Member launchBroker(int broker, int port) {
        List<String> args = List.of(
                "broker",
                "--insecure",
                "--config",
                file.toString(),
                "--listen",
                (hosts == null ? "127.0.0.1" : hosts.address(hostOfBroker(broker))) + ":" + port,
                "--cluster",
                stores.address());
        return fleet.start(
                new JvmCommand("broker-" + broker, OPTIONS, Main.class.getName(), args)
                        .with(launcher(hostOfBroker(broker)))
                        .behind(StoreNodes.path()),
                line -> {});
    }

    private Member launchServer(int server) {
        String name = "r" + server;
        Path log = logs.resolve(name + "-" + ++started);
        String at = Stream.of(endpoints)
                .map(endpoint -> endpoint.host() + ":" + endpoint.port())
                .collect(Collectors.joining(",", "cleave://", ""));
        return fleet.start(
                new JvmCommand(
                                name + "-" + started,
                                OPTIONS,
                                ChaosHost.class.getName(),
                                List.of("replica", name, at, log.toString()))
                        .with(launcher(hostOfServer(server))),
                line -> {});
    }

    private Launcher launcher(int host) {
        return hosts == null ? Launcher.OWN : hosts.launcher(host);
    }

    private static Endpoint ready(Member broker) {
        return Endpoint.parse(broker.awaitLine(READY, START).substring(READY.length()));
    }

    private static void awaitEnd(Member member) throws InterruptedException {
        if (!member.awaitEnd(END)) {
            throw new IllegalStateException(member.name() + " has not ended after " + END.toSeconds() + " s");
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e) throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
