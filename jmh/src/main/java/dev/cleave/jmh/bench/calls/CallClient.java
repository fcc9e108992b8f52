package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.talk.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A contender's client: {@code CallClient MIDDLEWARE WHERE}. Asked {@code SHAPE NANOS DIVISOR} it makes calls of that shape
 * with that effort. Of one thread.
 */
public final class CallClient {

    private final List<Contender.Caller> callers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CallTurn.MOST_CALLERS);

    private CallClient(Contender.Connected connected) throws Exception {
        for (int i = 0; i < CallTurn.MOST_CALLERS; i++) {
            callers.add(connected.caller());
        }
    }

    /** A client of what has been connected. */
    public static CallClient of(Contender.Connected connected) throws Exception {
        return new CallClient(connected);
    }

    static CallClient of(Middleware middleware, String where) throws Exception {
        return of(middleware.contender().connect(where));
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws Exception {
        CallClient client = of(Middleware.valueOf(args[0]), args[1]);
        Answers.give(words -> client.turn(CallShape.valueOf(words[0]), Effort.of(words[1], words[2])));
        System.exit(0); // whatever threads a contender has left
    }

    /** Makes calls of a shape, and returns a figure for each of its metrics. */
    public double[] turn(CallShape shape, Effort effort) throws Exception {
        return shape.figures(new CallTurn(callers, threads, effort));
    }

    /** Ends its threads. */
    public void close() {
        threads.shutdownNow();
    }
}
