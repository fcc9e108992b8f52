package dev.cleave.jmh.bench.many;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.talk.Answers;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures bytes of heap, or keeps connections: {@code MemoryClient SERVER BROKER COUNT} opens {@code COUNT}
 * connections at its start. Asked {@code CONNECTIONS N}, {@code CALLS N} or {@code SERVICES N} it answers the bytes of
 * one of N more: at the server, and for a call first those at the client. Used by one thread.
 */
public final class MemoryClient implements AutoCloseable {

    private static final int MOST_LOOKS = 20;
    private static final long LOOK_NANOS = 500_000_000;

    private final Node node;
    private final Crowd crowd;
    private final Endpoint server;
    private final IdleConnections connections = new IdleConnections();

    private MemoryClient(String server, String broker) {
        node = Node.connect(ManyClient.options(server, broker));
        crowd = node.lookup(ManyServer.CROWD + server, Crowd.class);
        this.server = endpoint(node, ManyServer.CROWD + server);
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws Exception {
        MemoryClient client = of(args[0], args[1], Integer.parseInt(args[2]));
        Answers.give(client::answer);
        System.exit(0); // with all its connections
    }

    static MemoryClient of(String server, String broker, int count) {
        MemoryClient client = new MemoryClient(server, broker);
        client.connections.open(client.server, count);
        return client;
    }

    private static Endpoint endpoint(Node node, String service) {
        for (Services.Service each : node.list()) {
            if (each.name().equals(service)) {
                return Endpoint.parse(each.replicas().get(0).endpoint());
            }
        }
        throw new IllegalStateException("no replica of " + service);
    }

    double[] answer(String[] words) {
        int count = Integer.parseInt(words[1]);
        return switch (words[0]) {
            case "OPEN" -> new double[] {connections.size()};
            case "CONNECTIONS" -> new double[] {perConnection(count)};
            case "CALLS" -> perCall(count);
            case "SERVICES" -> new double[] {perService(count)};
            default -> throw new IllegalArgumentException("question: " + words[0]);
        };
    }

    private double perConnection(int count) {
        long before = crowd.heap();
        connections.open(server, count);
        long after = crowd.heap();
        connections.closeAll();
        for (int i = 0; i < MOST_LOOKS && crowd.heap() > (before + after) / 2; i++) {
            LockSupport.parkNanos(LOOK_NANOS); // the server has not noticed, or what pings its peers has not
        }
        return (after - before) / (double) count;
    }

    private double[] perCall(int count) {
        crowd.gate(false);
        List<Pending<Void>> held = new ArrayList<>(count); // its own memory is there before
        long clientBefore = Heap.used();
        long serverBefore = crowd.heap();
        for (int i = 0; i < count; i++) {
            held.add(Cleave.async(crowd::hold));
        }
        crowd.gate(false); // behind them on their connection: the server has them all
        long serverAfter = crowd.heap();
        long clientAfter = Heap.used();
        crowd.gate(true);
        held.forEach(Pending::await);
        return new double[] {
            (clientAfter - clientBefore) / (double) count, (serverAfter - serverBefore) / (double) count
        };
    }

    private double perService(int count) {
        long before = crowd.heap();
        crowd.services(count);
        long after = crowd.heap();
        crowd.services(-count);
        return (after - before) / (double) count;
    }

    @Override
    public void close() {
        connections.close();
        node.close();
    }
}
