package dev.cleave.jmh.bench.loops;

import dev.cleave.broker.process.Leash;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;

/**
 * The servers: {@code LoopServer BROKER}. One has as many workers as a window has calls, so that waits overlap; two have few workers,
 * one of these with a queue that a window fills.
 */
public final class LoopServer {

    static final String SERVICE = "work";

    static final String BUSY = "busy";
    static final String NARROW = "narrow";

    private static final int WORKERS = 64;
    private static final int QUEUE = 1024;
    private static final int FEW_WORKERS = 4;
    private static final int SHORT_QUEUE = 20;

    private LoopServer() {}

    /** Serves until its parent is gone. */
    public static void main(String[] args) throws InterruptedException {
        Leash.attach();
        NodeOptions options = NodeOptions.DEFAULT.withBroker(Endpoint.parse(args[0]));
        try (Node wide = Node.connect(options.withCapacity(WORKERS, QUEUE));
                Node busy = Node.connect(options.withCapacity(FEW_WORKERS, QUEUE));
                Node narrow = Node.connect(options.withCapacity(FEW_WORKERS, SHORT_QUEUE))) {
            wide.bind(SERVICE, new WaitingWork());
            busy.bind(BUSY, new WaitingWork());
            narrow.bind(NARROW, new WaitingWork());
            System.out.println("ready");
            wide.await();
        }
    }
}
