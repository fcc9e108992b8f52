package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
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

/** Three nodes of ZooKeeper as processes on this machine, to try a cluster: each keeps its data below the fleet's folder. */
public final class StoreNodes {

    /** The system property with the jars and folders of {@code cleave-cluster} and what it needs; the launcher sets it. */
    public static final String PATH_PROPERTY = "cleave.cluster.path";

    private static final int NODES = 3;
    private static final String MAIN = "dev.cleave.cluster.zookeeper.StoreNode";
    private static final String READY = "store node ready";
    private static final Duration START = Duration.ofMinutes(2);

    private final String address;
    private final List<Member> members;

    private StoreNodes(String address, List<Member> members) {
        this.address = address;
        this.members = List.copyOf(members);
    }

    /** Starts the nodes and waits until each runs; they elect a leader meanwhile. */
    public static StoreNodes start(Fleet fleet) {
        List<Integer> ports = freePorts(3 * NODES);
        List<Member> members = new ArrayList<>();
        StringBuilder servers = new StringBuilder();
        for (int i = 0; i < NODES; i++) {
            servers.append(i == 0 ? "" : ",").append("127.0.0.1:").append(ports.get(i));
        }
        try {
            for (int i = 0; i < NODES; i++) {
                Path config = configure(fleet.directory().resolve("zookeeper-" + (i + 1)), i, ports);
                members.add(fleet.start(
                        new JvmCommand(
                                "zookeeper-" + (i + 1),
                                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                                MAIN,
                                List.of(config.toString()))
                        .behind(path()),
                        line -> {}));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        members.forEach(member -> member.awaitLine(READY, START));
        return new StoreNodes("zk://" + servers + "/cleave", members);
    }

    /** The address of the store, for {@code broker --cluster}. */
    public String address() {
        return address;
    }

    /** The processes. */
    public List<Member> members() {
        return members;
    }

    /** Returns the jars and folders that a broker of a cluster needs in front of its class path; none if it has them. */
    public static List<String> path() {
        String path = System.getProperty(PATH_PROPERTY, "");
        return path.isEmpty() ? List.of() : List.of(path.split(File.pathSeparator));
    }

    private static Path configure(Path folder, int node, List<Integer> ports) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("myid"), Integer.toString(node + 1));
        StringBuilder text = new StringBuilder();
        text.append("tickTime=1000\ninitLimit=20\nsyncLimit=5\nadmin.enableServer=false\n")
                .append("dataDir=" + data + "\n")
                .append("clientPortAddress=127.0.0.1\nclientPort=" + ports.get(node) + "\n");
        for (int i = 0; i < NODES; i++) {
            text.append("server." + (i + 1) + "=127.0.0.1:" + ports.get(NODES + i) + ":" + ports.get(2 * NODES + i)
                    + "\n");
        }
        return Files.writeString(folder.resolve("zoo.cfg"), text);
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
