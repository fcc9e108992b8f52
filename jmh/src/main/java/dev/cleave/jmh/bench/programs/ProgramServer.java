package dev.cleave.jmh.bench.programs;

import dev.cleave.broker.process.Leash;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;

/**
 * The server: {@code ProgramServer BROKER LINK SERVICE}, behind an emulated link whose round trip takes {@code LINK} microseconds, with
 * methods that take {@code SERVICE} microseconds.
 */
public final class ProgramServer {

    private static final int WORKERS = 64;
    private static final int QUEUE = 4096; // a client that sends all its calls at once is not refused
    private static final String NAME = "programs";

    private ProgramServer() {}

    /** Serves until its parent is gone. */
    public static void main(String[] args) throws InterruptedException {
        Leash.attach();
        NodeOptions options = NodeOptions.DEFAULT
                .withName(NAME)
                .withBindings(link(Integer.parseInt(args[1])))
                .withBroker(Endpoint.parse(args[0]))
                .withCapacity(WORKERS, QUEUE);
        try (Node node = Node.connect(options)) {
            Served.services().taking(Integer.parseInt(args[2])).forEach(node::bind);
            System.out.println("ready");
            node.await();
        }
    }

    /** The link is that of a replica, and so of all services of its node. */
    private static Bindings link(int micros) {
        return micros == 0
                ? Bindings.NONE
                : Bindings.parse(
                        "services: {shop: {link: {delay: " + micros / 2 + "us}, replicas: [{name: " + NAME
                                + ", host: localhost}]}}",
                        "bench.yaml");
    }
}
