package dev.cleave.jmh.bench.loops;

import dev.cleave.broker.process.Leash;
import dev.cleave.metrics.Refusals;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Servers with few workers and short queues, in one process: {@code SaturatedServer BROKER}. The service {@code queue-Q/workers-W} has W
 * workers and a queue of Q calls.
 */
public final class SaturatedServer {

    static final String TALLY = "tally";

    private static final List<String> REFUSED = List.of("queue", "queue.ahead");

    private SaturatedServer() {}

    /** The service with a queue and workers. */
    public static String service(int queue, int workers) {
        return "queue-" + queue + "/workers-" + workers;
    }

    /** Counts what it executes. */
    private static final class Counted implements Work {

        private static final LongAdder EXECUTED = new LongAdder();

        private final Work work = new WaitingWork();

        @Override
        public long work(int item, int micros) {
            EXECUTED.increment();
            return work.work(item, micros);
        }

        @Override
        public void put(int item, int micros) {
            EXECUTED.increment();
            work.put(item, micros);
        }

        @Override
        public long drain() {
            return work.drain();
        }

        @Override
        public long look(int item, int micros) {
            EXECUTED.increment();
            return work.look(item, micros);
        }
    }

    private static long requests() {
        return Counted.EXECUTED.sum() + REFUSED.stream().mapToLong(Refusals::of).sum();
    }

    /**
     * Serves until its parent is gone.
     *
     * @param args the broker, then queue and workers of each service
     */
    public static void main(String[] args) throws InterruptedException {
        Leash.attach();
        NodeOptions options = NodeOptions.DEFAULT.withBroker(Endpoint.parse(args[0]));
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i < args.length; i += 2) {
            int queue = Integer.parseInt(args[i]);
            int workers = Integer.parseInt(args[i + 1]);
            Node node = Node.connect(options.withCapacity(workers, queue));
            node.bind(service(queue, workers), Work.class, new Counted());
            nodes.add(node);
        }
        Node tally = Node.connect(options);
        tally.bind(TALLY, Tally.class, SaturatedServer::requests);
        System.out.println("ready");
        tally.await();
        nodes.forEach(Node::close);
    }
}
