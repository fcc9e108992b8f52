package dev.cleave.lab.chaos;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker and three replicas, each a process of its own, and what can be done to them. One thread at a time. */
final class Rig implements AutoCloseable, Workload.Callees {

    static final int REPLICAS = 3;

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(60);
    private static final List<String> OPTIONS =
            List.of("-Dcleave.samehost=tcp", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

    private final Fleet fleet;
    private final Path logs;
    private final Member[] replicas = new Member[REPLICAS];
    private final List<CuttingTransport> cut = new ArrayList<>();
    private Member broker;
    private final int port;
    private int started;

    private Rig(Fleet fleet) throws IOException {
        this.fleet = fleet;
        logs = Files.createDirectories(fleet.directory().resolve("executions"));
        broker = launch("broker", List.of("broker", "0"));
        port = Integer.parseInt(ready(broker));
        for (int i = 0; i < REPLICAS; i++) {
            replicas[i] = launchReplica(i);
        }
        for (Member replica : replicas) {
            String unused = ready(replica);
        }
    }

    /** Starts all; what they print and log goes to a directory. */
    static Rig start(Path directory) throws IOException {
        Fleet fleet = Fleet.open(directory, death -> {});
        try {
            return new Rig(fleet);
        } catch (ProcessException e) {
            fleet.close();
            throw e;
        }
    }

    /** A node that calls. */
    Node client(String name) {
        return ChaosHost.connect(options(name));
    }

    @Override
    public Node client(String name, CuttingTransport transport) {
        return ChaosHost.connect(options(name).withTransport(transport));
    }

    private NodeOptions options(String name) {
        return NodeOptions.DEFAULT
                .withBroker(Endpoint.tcp("localhost", port))
                .withBindings(ChaosHost.BINDINGS)
                .withName(name);
    }

    @Override
    public void cuts(CuttingTransport transport) {
        cut.add(transport);
    }

    /** Cuts all connections of callers to replicas, while both sides live on. */
    void cutLinks() {
        for (CuttingTransport transport : cut) {
            int unused = transport.cutAllBut(Endpoint.tcp("localhost", port));
        }
    }

    /** Ends a replica without a word. */
    void kill(int replica) throws InterruptedException {
        signal("KILL", replicas[replica]);
        awaitEnd(replicas[replica]);
    }

    /** Starts a replica that has ended. */
    void revive(int replica) {
        replicas[replica] = launchReplica(replica);
        String unused = ready(replicas[replica]);
    }

    void stop(int replica) {
        signal("STOP", replicas[replica]);
    }

    void goOn(int replica) {
        signal("CONT", replicas[replica]);
    }

    /** Asks a replica to leave, and waits until it has. */
    void leave(int replica) throws InterruptedException {
        signal("TERM", replicas[replica]);
        awaitEnd(replicas[replica]);
    }

    /** Asks the broker to let a replica leave, and waits until it has ended. */
    void drain(int replica) throws InterruptedException {
        try (Node node = client("drain")) {
            node.drain("r" + replica);
        }
        awaitEnd(replicas[replica]);
    }

    void killBroker() throws InterruptedException {
        signal("KILL", broker);
        awaitEnd(broker);
    }

    /** Asks the broker to end, and waits until it has. */
    void endBroker() throws InterruptedException {
        signal("TERM", broker);
        awaitEnd(broker);
    }

    void reviveBroker() {
        broker = launch("broker", List.of("broker", Integer.toString(port)));
        String unused = ready(broker);
    }

    void stopBroker() {
        signal("STOP", broker);
    }

    void goOnBroker() {
        signal("CONT", broker);
    }

    /** How often each call was begun, by all lives of all replicas. */
    Map<Long, Integer> executions() throws IOException {
        Map<Long, Integer> counts = new HashMap<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.toList()) {
                for (String line : Files.readAllLines(file)) {
                    counts.merge(Long.parseLong(line), 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    @Override
    public void close() {
        fleet.close();
    }

    private Member launchReplica(int replica) {
        String name = "r" + replica;
        Path log = logs.resolve(name + "-" + ++started);
        return launch(name, List.of("replica", name, "cleave://localhost:" + port, log.toString()));
    }

    private Member launch(String name, List<String> args) {
        return fleet.start(new JvmCommand(name, OPTIONS, ChaosHost.class.getName(), new ArrayList<>(args)), line -> {});
    }

    private static void awaitEnd(Member member) throws InterruptedException {
        if (!member.awaitEnd(END)) {
            member.kill();
            throw new ProcessException(
                    member.name() + " did not end within " + END.toSeconds() + " s; see " + member.log(), null);
        }
    }

    private static String ready(Member member) {
        return member.awaitLine(ChaosHost.READY, START).substring(ChaosHost.READY.length());
    }

    /** Sends a process a signal. */
    static void signal(String name, Member to) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(to.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("kill -" + name + " " + to.pid() + " does not end");
            }
        } catch (IOException e) {
            throw new IllegalStateException("no kill here: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
