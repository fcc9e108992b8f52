package dev.cleave.jmh.bench.many;

import dev.cleave.Inline;
import dev.cleave.broker.process.Leash;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.concurrent.CountDownLatch;

/** A server for a crowd: {@code ManyServer NAME BROKER}. It lets more calls wait than any client makes. */
public final class ManyServer implements Crowd {

    static final String ECHO = "echo-";
    static final String CROWD = "crowd-";
    static final String FURTHER = "further-";

    private static final int WORKERS = 4;
    private static final int QUEUE = 1 << 22;

    private final Node node;
    private volatile CountDownLatch gate = new CountDownLatch(1);
    private int further; // guarded by this

    private ManyServer(Node node) {
        this.node = node;
    }

    /** Serves until its parent is gone. */
    public static void main(String[] args) throws InterruptedException {
        Leash.attach();
        try (Node node = serve(args[0], args[1])) {
            System.out.println("ready");
            node.await();
        }
    }

    /** Starts a server in this JVM. */
    static Node serve(String name, String broker) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(Endpoint.parse(broker))
                .withCapacity(WORKERS, QUEUE));
        CleaveContender.bind(node, ECHO + name);
        node.bind(CROWD + name, new ManyServer(node));
        return node;
    }

    @Override
    public void hold() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    @Inline // all workers may be held
    public void gate(boolean open) {
        if (open) {
            gate.countDown();
        } else if (gate.getCount() == 0) { // those that are held already wait at the one that is shut
            gate = new CountDownLatch(1);
        }
    }

    @Override
    @Inline // all workers may be held
    public long heap() {
        return Heap.used();
    }

    @Override
    public synchronized void services(int count) {
        for (int i = 0; i < count; i++) {
            CleaveContender.bind(node, FURTHER + node.name() + "-" + further++);
        }
        for (int i = 0; i > count; i--) {
            node.unbind(FURTHER + node.name() + "-" + --further);
        }
    }
}
