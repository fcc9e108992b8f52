package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.broker.process.Member;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Some nodes of ZooKeeper as processes on this machine, to try a cluster: each keeps its data below the fleet's folder. */
public final class StoreNodes {

    /** The system property with the jars and folders of {@code cleave-cluster} and what it needs; the launcher sets it. */
    public static final String PATH_PROPERTY = "cleave.cluster.path";

    private static final int NODES = 3;
    private static final String MAIN = "dev.cleave.cluster.zookeeper.StoreNode";
    private static final String READY = "store node ready";
    private static final Duration START = Duration.ofMinutes(2);

    private final Fleet fleet;
    private final List<Host> hosts;
    private final List<Member> members = new ArrayList<>();

    /**
     * The place of one node.
     *
     * @param address at which brokers and the other nodes reach it
     * @param launcher starts its JVM there
     * @param client the port for brokers
     * @param quorum the port at which followers reach it while it leads
     * @param election the port at which the others vote
     */
    public record Host(String address, Launcher launcher, int client, int quorum, int election) {}

    private StoreNodes(Fleet fleet, List<Host> hosts) {
        this.fleet = fleet;
        this.hosts = List.copyOf(hosts);
    }

    /** Starts three nodes on loopback and waits until each runs; they elect a leader meanwhile. */
    public static StoreNodes start(Fleet fleet) {
        return start(fleet, onLoopback());
    }

    /** Starts one node at each place and waits until each runs; they elect a leader meanwhile. */
    public static StoreNodes start(Fleet fleet, List<Host> hosts) {
        StoreNodes nodes = new StoreNodes(fleet, hosts);
        for (int i = 0; i < hosts.size(); i++) {
            nodes.members.add(nodes.launch(i));
        }
        nodes.members.forEach(member -> member.awaitLine(READY, START));
        return nodes;
    }

    /** Returns places on loopback for three nodes, at ports that are free now. */
    public static List<Host> onLoopback() {
        List<Integer> ports = freePorts(3 * NODES);
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            hosts.add(
                    new Host("127.0.0.1", Launcher.OWN, ports.get(i), ports.get(NODES + i), ports.get(2 * NODES + i)));
        }
        return hosts;
    }

    /** Starts a node again that has ended, with the data that it has. */
    public void revive(int node) {
        Member revived = launch(node);
        members.set(node, revived);
        String unused = revived.awaitLine(READY, START);
    }

    /** The places of the nodes. */
    public List<Host> hosts() {
        return hosts;
    }

    /** The folder that a node keeps its data in. */
    public Path data(int node) {
        return fleet.directory().resolve(name(node)).resolve("data");
    }

    /** The address of the store, for {@code broker --cluster}. */
    public String address() {
        return hosts.stream()
                .map(host -> host.address() + ":" + host.client())
                .collect(Collectors.joining(",", "zk://", "/cleave"));
    }

    /** The processes. */
    public List<Member> members() {
        return List.copyOf(members);
    }

    /** Returns the jars and folders that a broker of a cluster needs in front of its class path; none if it has them. */
    public static List<String> path() {
        String path = System.getProperty(PATH_PROPERTY, "");
        return path.isEmpty() ? List.of() : List.of(path.split(File.pathSeparator));
    }

    private Member launch(int node) {
        try {
            return fleet.start(
                    new JvmCommand(
                                    name(node),
                                    List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                                    MAIN,
                                    List.of(configure(node).toString()))
                            .with(hosts.get(node).launcher())
                            .behind(path()),
                    line -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(int node) {
        return "zookeeper-" + (node + 1);
    }

    private Path configure(int node) throws IOException {
        Path data = Files.createDirectories(data(node));
        Files.writeString(data.resolve("myid"), Integer.toString(node + 1));
        Host own = hosts.get(node);
        StringBuilder text = new StringBuilder();
        text.append("tickTime=1000\ninitLimit=20\nsyncLimit=5\nadmin.enableServer=false\n")
                .append("dataDir=" + data + "\n")
                .append("clientPortAddress=" + own.address() + "\nclientPort=" + own.client() + "\n");
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            text.append(
                    "server." + (i + 1) + "=" + host.address() + ":" + host.quorum() + ":" + host.election() + "\n");
        }
        return Files.writeString(data.resolveSibling("zoo.cfg"), text);
    }

    /** Returns ports that are free now. ZooKeeper cannot listen at a port that the system chooses. */
    private static List<Integer> freePorts(int count) {
        List<ServerSocket> open = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                open.add(socket);
                ports.add(socket.getLocalPort());
            }
            for (ServerSocket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ports;
    }
}
