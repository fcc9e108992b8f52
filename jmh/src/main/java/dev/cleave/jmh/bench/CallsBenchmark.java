package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.calls.CallClient;
import dev.cleave.jmh.bench.calls.CallServer;
import dev.cleave.jmh.bench.calls.CallShape;
import dev.cleave.jmh.bench.calls.Middleware;
import dev.cleave.jmh.bench.talk.Client;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Calls without work behind them, over Cleave and over others. */
final class CallsBenchmark implements Benchmark {

    private static final String APPLICATION = """
            application: bench
            services:
              echo-relay:
                interface: dev.cleave.jmh.bench.calls.Echo
                route: relay
            """;

    /** A tiny turn has one call for so many of a usual one. */
    private static final int TINY = 1000;

    private static final int LEAST_CALLS = 8;

    private final int divisor;
    private final int warmTurns;

    private CallsBenchmark(int divisor, int warmTurns) {
        this.divisor = divisor;
        this.warmTurns = warmTurns;
    }

    /** Thousands of calls in a turn. */
    static CallsBenchmark usual() {
        return new CallsBenchmark(1, 4);
    }

    /** A few calls in a turn, to see that all of it works. */
    static CallsBenchmark tiny() {
        return new CallsBenchmark(TINY, 1);
    }

    @Override
    public String name() {
        return "calls";
    }

    @Override
    public String floor() {
        return Middleware.FLOOR.id();
    }

    @Override
    public List<Turn> prepare(Stage stage, Progress progress) throws IOException {
        progress.show("calls: starting broker, servers and clients");
        String broker = stage.broker(APPLICATION);
        Map<Middleware, Client> clients = new EnumMap<>(Middleware.class);
        for (Middleware middleware : Middleware.values()) {
            String id = middleware.id();
            String where = stage.server(id + "-server", CallServer.class, List.of(middleware.name(), broker));
            clients.put(
                    middleware,
                    stage.client(new JvmCommand(
                            id, List.of(), CallClient.class.getName(), List.of(middleware.name(), where))));
        }
        clients.forEach((middleware, client) -> {
            client.awaitReady();
            progress.show("calls: warming up " + middleware.id());
            for (CallShape shape : CallShape.values()) {
                for (int turn = 0; turn < warmTurns; turn++) {
                    client.ask(question(shape));
                }
            }
        });
        List<Turn> turns = new ArrayList<>();
        for (CallShape shape : CallShape.values()) {
            Metric metric = new Metric(shape.metric(), shape.unit());
            clients.forEach((middleware, client) ->
                    turns.add(new Turn(shape.id(), middleware.id(), metric, () -> client.ask(question(shape)))));
        }
        return turns;
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of(
                "calls: ratio is the figure over that of floor: below 1 is better for p50, above 1 for rate",
                "rmi has no asynchronous call: its window-64 is 64 threads");
    }

    private String question(CallShape shape) {
        return shape.name() + " " + Math.max(LEAST_CALLS, shape.count() / divisor);
    }
}
