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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A loop of independent calls: as written, with the agent, and by hand. */
final class LoopsBenchmark implements Benchmark {

    private static final Metric TIME = new Metric("time", "ms");
    private static final String APPLICATION = "application: bench\n";
    private static final String REPORT = "agent.report";

    private final int calls;
    private final List<Integer> serviceMicros;
    private final int warmTurns;
    private boolean hasVirtualThreads = true;

    private LoopsBenchmark(int calls, List<Integer> serviceMicros, int warmTurns) {
        this.calls = calls;
        this.serviceMicros = List.copyOf(serviceMicros);
        this.warmTurns = warmTurns;
    }

    /** 1,000 calls of 0, 0.2, 1 and 5 ms. */
    static LoopsBenchmark usual() {
        return new LoopsBenchmark(1000, List.of(0, 200, 1000, 5000), 8);
    }

    /** A few calls, to see that all of it works. */
    static LoopsBenchmark tiny() {
        return new LoopsBenchmark(4, List.of(0), 1);
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
    public List<Turn> prepare(Stage stage, Progress progress) throws IOException {
        progress.show("loops: starting broker, server and clients");
        String broker = stage.broker(APPLICATION);
        stage.server("server", LoopServer.class, List.of(broker));
        Map<LoopStyle, Client> clients = clients(stage, broker);
        clients.forEach((style, client) -> {
            client.awaitReady();
            progress.show("loops: warming up " + style.id());
            for (LoopShape shape : LoopShape.values()) {
                for (int turn = 0; turn < warmTurns; turn++) {
                    client.ask(question(shape, 0));
                }
            }
        });
        List<Turn> turns = new ArrayList<>();
        for (LoopShape shape : LoopShape.values()) {
            for (int micros : serviceMicros) {
                String workload = String.format(Locale.ROOT, "%s/%s-ms", shape.id(), micros / 1000.0)
                        .replace(".0-", "-");
                clients.forEach((style, client) ->
                        turns.add(new Turn(workload, style.id(), TIME, () -> client.ask(question(shape, micros)))));
            }
        }
        return turns;
    }

    @Override
    public List<String> notes(Stage stage) throws IOException {
        List<String> notes = new ArrayList<>();
        notes.add("loops: " + calls + " independent calls in one loop; ratio is time over that of futures");
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
        return shape.name() + " " + calls + " " + micros;
    }
}
