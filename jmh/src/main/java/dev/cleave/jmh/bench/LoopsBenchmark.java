package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.jmh.bench.loops.LoopClient;
import dev.cleave.jmh.bench.loops.LoopServer;
import dev.cleave.jmh.bench.loops.LoopShape;
import dev.cleave.jmh.bench.loops.LoopStyle;
import dev.cleave.jmh.bench.talk.Client;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A loop of independent calls: as written, with the agent, and by hand. */
final class LoopsBenchmark implements Benchmark {

    private static final Metric TIME = new Metric("time", "ms");
    private static final String APPLICATION = "application: bench\n";
    private static final String REPORT = "agent.report";

    /** Calls that take longer are fewer. */
    private static final int LONG_MICROS = 5_000;

    private static final int LONG_PART = 5;

    private final int calls;
    private final List<LoopShape> shapes;
    private final List<Integer> serviceMicros;
    private final int warmTurns;
    private boolean hasVirtualThreads = true;

    private LoopsBenchmark(int calls, List<LoopShape> shapes, List<Integer> serviceMicros, int warmTurns) {
        this.calls = calls;
        this.shapes = List.copyOf(shapes);
        this.serviceMicros = List.copyOf(serviceMicros);
        this.warmTurns = warmTurns;
    }

    /** 1,000 calls of 0, 0.2 and 1 ms, and 200 of 5 ms. */
    static LoopsBenchmark usual() {
        return new LoopsBenchmark(1000, List.of(LoopShape.values()), List.of(0, 200, 1000, LONG_MICROS), 8);
    }

    /** 200 calls of 5 ms in a plain loop. */
    static LoopsBenchmark loop() {
        return new LoopsBenchmark(1000, List.of(LoopShape.LOOP), List.of(LONG_MICROS), 4);
    }

    /** A few calls, to see that all of it works. */
    static LoopsBenchmark tiny() {
        return new LoopsBenchmark(4, List.of(LoopShape.values()), List.of(0), 1);
    }

    @Override
    public String name() {
        return "loops";
    }

    @Override
    public String floor() {
        return LoopStyle.FUTURES.id();
    }

    @Override
    public List<String> contenders() {
        return Stream.of(LoopStyle.values()).map(LoopStyle::id).toList();
    }

    @Override
    public List<String> workloads() {
        return shapes.stream()
                .flatMap(shape -> serviceMicros(shape).map(micros -> workload(shape, micros)))
                .toList();
    }

    private Stream<Integer> serviceMicros(LoopShape shape) {
        return serviceMicros.stream().filter(micros -> micros == 0 || !shape.isAboutOverhead());
    }

    private static String workload(LoopShape shape, int micros) {
        return String.format(Locale.ROOT, "%s/%s-ms", shape.id(), micros / 1000.0)
                .replace(".0-", "-");
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        progress.show("loops: starting broker, server and clients");
        String broker = stage.broker(APPLICATION);
        stage.server(new JvmCommand("server", List.of(), LoopServer.class.getName(), List.of(broker)));
        Map<LoopStyle, Client> clients = clients(stage, broker);
        clients.keySet().removeIf(style -> !choice.hasContender(this, style.id()));
        clients.forEach((style, client) -> {
            client.awaitReady();
            progress.show("loops: warming up " + style.id());
            for (LoopShape shape : shapes) {
                for (int turn = 0; turn < warmTurns; turn++) {
                    if (shape.isFor(style)) {
                        client.ask(question(shape, 0));
                    }
                }
            }
        });
        List<Turn> turns = new ArrayList<>();
        for (LoopShape shape : shapes) {
            for (int micros : serviceMicros(shape).toList()) {
                String workload = workload(shape, micros);
                if (choice.hasWorkload(workload)) {
                    clients.forEach((style, client) -> {
                        if (shape.isFor(style)) {
                            turns.add(new Turn(
                                    workload, style.id(), List.of(TIME), 0, () -> client.ask(question(shape, micros))));
                        }
                    });
                }
            }
        }
        return turns;
    }

    @Override
    public List<String> notes(Stage stage) throws IOException {
        List<String> notes = new ArrayList<>();
        notes.add("loops: " + calls
                + " calls in one loop, a fifth of that from 5 ms on; ratio is time over that of futures");
        notes.add("loops: none and one are " + calls + " loops of no call and of one call");
        notes.add(
                "loops: saturated and overfull are " + calls
                        + " calls of eight threads to four workers; the queue of overfull takes 20 calls, and no loop by hand ends");
        notes.add(
                hasVirtualThreads
                        ? "virtual-threads: that client alone runs on a JDK with virtual threads"
                        : "virtual-threads: left out, no JDK 25 found (set JAVA_HOME_25)");
        Path report = stage.directory().resolve(REPORT);
        if (Files.isRegularFile(report)) {
            notes.add("what the agent did:");
            Files.readAllLines(report).forEach(line -> notes.add("  " + line));
        }
        return notes;
    }

    private Map<LoopStyle, Client> clients(Stage stage, String broker) throws IOException {
        Optional<Launcher> virtualThreads = VirtualThreadJdk.find();
        hasVirtualThreads = virtualThreads.isPresent();
        Map<LoopStyle, Client> clients = new EnumMap<>(LoopStyle.class);
        for (LoopStyle style : LoopStyle.values()) {
            JvmCommand command =
                    new JvmCommand(style.id(), List.of(), LoopClient.class.getName(), List.of(style.name(), broker));
            if (style == LoopStyle.AGENT) {
                List<String> options = List.of(agent(stage));
                clients.put(
                        style, stage.client(new JvmCommand(style.id(), options, command.mainClass(), command.args())));
            } else if (style != LoopStyle.VIRTUAL_THREADS) {
                clients.put(style, stage.client(command));
            } else if (virtualThreads.isPresent()) {
                clients.put(style, stage.client(command.with(virtualThreads.get())));
            }
        }
        return clients;
    }

    private static String agent(Stage stage) {
        Path report = stage.directory().resolve(REPORT);
        if (report.toString().indexOf(',') >= 0) {
            throw new CommandException(report + ": a comma in the name of the temporary directory");
        }
        return "-javaagent:" + Agent.required().jar() + "=report=" + report + ",quiet";
    }

    private String question(LoopShape shape, int micros) {
        int count = micros < LONG_MICROS ? calls : calls / LONG_PART;
        return shape.name() + " " + count + " " + micros;
    }
}
