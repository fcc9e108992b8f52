package dev.cleave.jmh.bench.loops;

import dev.cleave.jmh.bench.talk.Answers;
import dev.cleave.node.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A client whose loops, of eight threads, saturate a server: {@code SaturatedClient BROKER}. Asked {@code SERVICE CALLS MICROS} it runs
 * loops of that many calls for a fifth of a second, at least once, and answers the median of the milliseconds and the requests for each
 * call.
 */
public final class SaturatedClient {

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LoopProgram program = new PlainLoops();
    private final Node node;
    private final Tally tally;
    private final Map<String, Work> services = new HashMap<>();

    private SaturatedClient(Node node) {
        this.node = node;
        tally = node.lookup(SaturatedServer.TALLY, Tally.class);
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws IOException {
        try (Node node = Node.connect(args[0])) {
            SaturatedClient client = new SaturatedClient(node);
            Answers.give(client::turn);
        }
        System.exit(0);
    }

    private double[] turn(String[] words) throws Exception {
        int calls = Integer.parseInt(words[1]);
        int micros = Integer.parseInt(words[2]);
        Work work = services.computeIfAbsent(words[0], name -> node.lookup(name, Work.class));
        long expected = LoopShape.SATURATED.expected(calls);
        long before = tally.requests();
        List<Long> times = new ArrayList<>();
        long end = System.nanoTime() + TURN_NANOS;
        do {
            long begin = System.nanoTime();
            long sum = LoopShape.SATURATED.sum(program, work, calls, micros);
            times.add(System.nanoTime() - begin);
            if (sum != expected) {
                throw new IllegalStateException("sum: " + sum + " (expected: " + expected + ")");
            }
        } while (System.nanoTime() - end < 0);
        Collections.sort(times);
        double requests = tally.requests() - before;
        int made = calls / Together.THREADS * Together.THREADS;
        return new double[] {times.get(times.size() / 2) / 1e6, requests / ((double) made * times.size())};
    }
}
