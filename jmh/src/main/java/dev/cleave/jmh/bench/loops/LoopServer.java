package dev.cleave.jmh.bench.loops;

import dev.cleave.broker.process.Leash;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;

/** The server: {@code LoopServer BROKER}. As many workers as a window has calls, so that waits overlap. */
public final class LoopServer {

    static final String SERVICE = "work";

    private static final int WORKERS = 64;
    private static final int QUEUE = 1024;

    private LoopServer() {}

    /** Serves until its parent is gone. */
    public static void main(String[] args) throws InterruptedException {
        Leash.attach();
        NodeOptions options =
                NodeOptions.DEFAULT.withBroker(Endpoint.parse(args[0])).withCapacity(WORKERS, QUEUE);
        try (Node node = Node.connect(options)) {
            node.bind(SERVICE, new WaitingWork());
            System.out.println("ready");
            node.await();
        }
    }
}
