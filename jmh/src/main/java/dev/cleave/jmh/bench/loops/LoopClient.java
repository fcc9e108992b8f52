package dev.cleave.jmh.bench.loops;

import dev.cleave.jmh.bench.talk.Answers;
import dev.cleave.node.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A client that runs loops in one style: {@code LoopClient STYLE BROKER}. Asked {@code SHAPE CALLS MICROS} it runs that loop for
 * a fifth of a second, at least once, and answers the median of the milliseconds.
 */
public final class LoopClient {

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LoopProgram program;
    private final Map<LoopShape, Work> services = new EnumMap<>(LoopShape.class);

    private LoopClient(LoopProgram program, Node node) {
        this.program = program;
        for (LoopShape shape : LoopShape.values()) {
            services.put(shape, node.lookup(shape.service(), Work.class));
        }
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        LoopProgram program = LoopStyle.valueOf(args[0]).program();
        try (Node node = Node.connect(args[1])) {
            LoopClient client = new LoopClient(program, node);
            Answers.give(client::turn);
        }
        System.exit(0); // whatever threads a style has left
    }

    private double[] turn(String[] words) throws Exception {
        LoopShape shape = LoopShape.valueOf(words[0]);
        int calls = Integer.parseInt(words[1]);
        int micros = Integer.parseInt(words[2]);
        Work work = Objects.requireNonNull(services.get(shape));
        long expected = shape.expected(calls);
        List<Long> times = new ArrayList<>();
        long end = System.nanoTime() + TURN_NANOS;
        do {
            long begin = System.nanoTime();
            long sum = shape.sum(program, work, calls, micros);
            times.add(System.nanoTime() - begin);
            if (sum != expected) {
                throw new IllegalStateException("sum: " + sum + " (expected: " + expected + ")");
            }
        } while (System.nanoTime() - end < 0);
        Collections.sort(times);
        return new double[] {times.get(times.size() / 2) / 1e6};
    }
}
