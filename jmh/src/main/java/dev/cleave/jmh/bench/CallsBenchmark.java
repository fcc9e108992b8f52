package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.jmh.bench.calls.CallClient;
import dev.cleave.jmh.bench.calls.CallServer;
import dev.cleave.jmh.bench.calls.CallShape;
import dev.cleave.jmh.bench.calls.Effort;
import dev.cleave.jmh.bench.calls.Middleware;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.jmh.bench.talk.Client;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Calls without work behind them, over Cleave and over others. */
final class CallsBenchmark implements Benchmark {

    private final Effort effort;
    private final int warmUps;

    private CallsBenchmark(Effort effort, int warmUps) {
        this.effort = effort;
        this.warmUps = warmUps;
    }

    /** Turns of some tenths of a second. */
    static CallsBenchmark usual() {
        return new CallsBenchmark(Effort.USUAL, 2);
    }

    /** Shorter turns. */
    static CallsBenchmark quick() {
        return new CallsBenchmark(Effort.QUICK, 2);
    }

    /** A few calls in a turn, to see that all of it works. */
    static CallsBenchmark tiny() {
        return new CallsBenchmark(Effort.TINY, 0);
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
    public List<String> contenders() {
        return Stream.of(Middleware.values()).map(Middleware::id).toList();
    }

    @Override
    public List<String> workloads() {
        return Stream.of(CallShape.values()).map(CallShape::id).toList();
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        progress.show("calls: starting the broker");
        String broker = stage.broker(CleaveContender.APPLICATION);
        Map<Middleware, Supplier<Client>> clients = new EnumMap<>(Middleware.class);
        for (Middleware middleware : Middleware.values()) {
            if (choice.hasContender(this, middleware.id())) {
                progress.show("calls: starting " + middleware.id());
                clients.put(middleware, start(middleware, broker, stage));
            }
        }
        List<CallShape> shapes = Arrays.stream(CallShape.values())
                .filter(shape -> choice.hasWorkload(shape.id()))
                .toList();
        List<Turn> turns = new ArrayList<>();
        for (CallShape shape : shapes) {
            clients.forEach((middleware, client) -> turns.add(turn(shape, middleware, client)));
        }
        return turns;
    }

    /** Starts a contender; where that fails, all its turns do. */
    private static Supplier<Client> start(Middleware middleware, String broker, Stage stage) {
        try {
            Client client = client(middleware, broker, stage);
            return () -> client;
        } catch (ProcessException e) {
            return () -> {
                throw e;
            };
        }
    }

    private static Client client(Middleware middleware, String broker, Stage stage) {
        String id = middleware.id();
        String where = stage.server(new JvmCommand(
                id + "-server", middleware.options(), CallServer.class.getName(), List.of(middleware.name(), broker)));
        Client client = stage.client(new JvmCommand(
                id, middleware.options(), CallClient.class.getName(), List.of(middleware.name(), where)));
        client.awaitReady();
        return client;
    }

    private Turn turn(CallShape shape, Middleware middleware, Supplier<Client> client) {
        String question = shape.name() + " " + effort.words();
        return new Turn(shape.id(), middleware.id(), shape.metrics(), warmUps, () -> client.get()
                .ask(question));
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of(
                "calls: ratio is the figure over that of floor: below 1 is better for p50 and p99, above 1 for rate",
                "rmi and thrift have no asynchronous call: their windows are as many threads");
    }
}
