package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.calls.CallClient;
import dev.cleave.jmh.bench.calls.CallServer;
import dev.cleave.jmh.bench.calls.CallShape;
import dev.cleave.jmh.bench.calls.Effort;
import dev.cleave.jmh.bench.calls.Middleware;
import dev.cleave.jmh.bench.talk.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The price of encryption: the same calls by TCP, as they are and by TLS. */
final class TlsBenchmark implements Benchmark {

    private static final String PLAIN = "plain";
    private static final String TLS = "tls";
    private static final double MOST_OF_A_CALL = 1.35;
    private static final double LEAST_OF_BULK = 0.5;
    private static final List<CallShape> SHAPES = List.of(
            CallShape.SYNC_NULL,
            CallShape.SYNC_ECHO,
            CallShape.SYNC_1_KIB,
            CallShape.WINDOW_64,
            CallShape.ARGUMENT_8_MIB,
            CallShape.RESULT_8_MIB);
    private static final List<CallShape> LONE = List.of(CallShape.SYNC_NULL, CallShape.SYNC_ECHO);
    private static final List<CallShape> BULK = List.of(CallShape.ARGUMENT_8_MIB, CallShape.RESULT_8_MIB);
    private static final String RIGHTS = """
            application: bench
            security:
              keys: tls
              rights:
                - {identity: server, register: ["*"]}
                - {identity: client, call: ["*"]}
            """;

    private final Effort effort;
    private final int warmUps;

    private TlsBenchmark(Effort effort, int warmUps) {
        this.effort = effort;
        this.warmUps = warmUps;
    }

    /** Turns of some tenths of a second, after some ten seconds in which the engine's code is compiled: on one core that takes long. */
    static TlsBenchmark usual() {
        return new TlsBenchmark(Effort.USUAL, 30);
    }

    /** Shorter turns. */
    static TlsBenchmark quick() {
        return new TlsBenchmark(Effort.QUICK, 6);
    }

    /** A few calls in a turn, to see that all of it works. */
    static TlsBenchmark tiny() {
        return new TlsBenchmark(Effort.TINY, 0);
    }

    @Override
    public String name() {
        return "calls --tls";
    }

    @Override
    public String floor() {
        return PLAIN;
    }

    @Override
    public List<String> contenders() {
        return List.of(PLAIN, TLS);
    }

    @Override
    public List<String> workloads() {
        return SHAPES.stream().map(CallShape::id).toList();
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        progress.show("calls --tls: starting");
        Map<String, Client> clients = new LinkedHashMap<>();
        List<String> plain = List.of("-Dcleave.samehost=tcp");
        clients.put(PLAIN, client(stage, PLAIN, stage.broker("application: bench\n"), plain, plain));
        if (choice.hasContender(this, TLS)) {
            Path keys = stage.directory().resolve(TLS);
            long unused = stage.run(
                    new JvmCommand("keys", List.of(), Main.class.getName(), List.of("keys", keys.toString())));
            Path file = Files.writeString(stage.directory().resolve("tls.yaml"), RIGHTS);
            clients.put(
                    TLS,
                    client(
                            stage,
                            TLS,
                            stage.broker(file),
                            List.of("-Dcleave.config=" + file, "-Dcleave.identity=server"),
                            List.of("-Dcleave.keys=" + keys)));
        }
        List<Turn> turns = new ArrayList<>();
        for (CallShape shape : SHAPES) {
            if (choice.hasWorkload(shape.id())) {
                clients.forEach((name, client) -> turns.add(new Turn(
                        shape.id(),
                        name,
                        shape.metrics(),
                        warmUps,
                        () -> client.ask(shape.name() + " " + effort.words()))));
            }
        }
        return turns;
    }

    private static Client client(
            Stage stage, String name, String broker, List<String> ofServer, List<String> ofClient) {
        String middleware = Middleware.CLEAVE_INLINE.name();
        String where = stage.server(
                new JvmCommand(name + "-server", ofServer, CallServer.class.getName(), List.of(middleware, broker)));
        Client client =
                stage.client(new JvmCommand(name, ofClient, CallClient.class.getName(), List.of(middleware, where)));
        client.awaitReady();
        return client;
    }

    @Override
    public List<String> table(List<Measurement> measurements) {
        List<String> lines = new ArrayList<>(MeasurementTable.lines(measurements));
        ratios(measurements, LONE, "p50")
                .max()
                .ifPresent(ratio -> lines.add(String.format(
                        Locale.ROOT,
                        "a lone call by TLS takes %.2f of the time by TCP (goal: at most %.2f): %s",
                        ratio,
                        MOST_OF_A_CALL,
                        ratio <= MOST_OF_A_CALL ? "reached" : "missed")));
        ratios(measurements, BULK, "rate")
                .min()
                .ifPresent(ratio -> lines.add(String.format(
                        Locale.ROOT,
                        "arrays of 8 MiB go by TLS at %.2f of the rate by TCP (goal: at least %.2f): %s",
                        ratio,
                        LEAST_OF_BULK,
                        ratio >= LEAST_OF_BULK ? "reached" : "missed")));
        return lines;
    }

    private static DoubleStream ratios(List<Measurement> measurements, List<CallShape> shapes, String metric) {
        List<String> workloads = shapes.stream().map(CallShape::id).toList();
        return measurements.stream()
                .filter(m -> m.contender().equals(TLS)
                        && workloads.contains(m.workload())
                        && m.metric().name().equals(metric)
                        && m.ratioToFloor() != null)
                .mapToDouble(Measurement::ratioToFloor);
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of("calls --tls: ratio is the figure over that of plain, which goes by TCP");
    }
}
