package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.talk.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A contender's client: {@code CallClient MIDDLEWARE WHERE}. Asked {@code SHAPE COUNT} it makes so many calls. */
public final class CallClient {

    private CallClient() {}

    /** Answers until nobody asks any more. */
    public static void main(String[] args) throws Exception {
        Contender.Connected connected = Middleware.valueOf(args[0]).contender().connect(args[1]);
        List<Contender.Caller> callers = new ArrayList<>();
        for (int i = 0; i < CallTurn.MOST_CALLERS; i++) {
            callers.add(connected.caller());
        }
        ExecutorService threads = Executors.newFixedThreadPool(CallTurn.MOST_CALLERS);
        Answers.give(words ->
                CallShape.valueOf(words[0]).figure(new CallTurn(callers, threads, Integer.parseInt(words[1]))));
        System.exit(0); // whatever threads a contender has left
    }
}
