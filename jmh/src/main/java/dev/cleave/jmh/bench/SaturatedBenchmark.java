package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.loops.LoopStyle;
import dev.cleave.jmh.bench.loops.SaturatedClient;
import dev.cleave.jmh.bench.loops.SaturatedServer;
import dev.cleave.jmh.bench.talk.Client;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Loops of eight threads against servers with one to four workers and queues of 8 to 1,000 calls, as written and with the agent: how
 * long they take, and how many requests they send for each call.
 */
final class SaturatedBenchmark implements Benchmark {

    private static final List<Metric> METRICS = List.of(new Metric("time", "ms"), new Metric("requests", "per call"));
    private static final List<LoopStyle> STYLES = List.of(LoopStyle.PLAIN, LoopStyle.AGENT);
    private static final int WARM_UPS = 3;

    private final List<Integer> queues;
    private final List<Integer> workers;
    private final List<Integer> serviceMicros;
    private final int calls;

    private SaturatedBenchmark(List<Integer> queues, List<Integer> workers, List<Integer> serviceMicros, int calls) {
        this.queues = queues;
        this.workers = workers;
        this.serviceMicros = serviceMicros;
        this.calls = calls;
    }

    /** 400 calls of 0, 0.2 and 1 ms: four queues, three numbers of workers. */
    static SaturatedBenchmark usual() {
        return new SaturatedBenchmark(List.of(8, 20, 100, 1_000), List.of(1, 2, 4), List.of(0, 200, 1_000), 400);
    }

    /** A few calls, to see that all of it works. */
    static SaturatedBenchmark tiny() {
        return new SaturatedBenchmark(List.of(8), List.of(1), List.of(0), 80);
    }

    @Override
    public String name() {
        return "saturated";
    }

    @Override
    public String floor() {
        return LoopStyle.PLAIN.id();
    }

    @Override
    public List<String> contenders() {
        return STYLES.stream().map(LoopStyle::id).toList();
    }

    @Override
    public List<String> workloads() {
        return services()
                .flatMap(service -> serviceMicros.stream().map(micros -> workload(service, micros)))
                .toList();
    }

    private Stream<String> services() {
        return queues.stream().flatMap(queue -> workers.stream().map(each -> SaturatedServer.service(queue, each)));
    }

    private static String workload(String service, int micros) {
        return String.format(Locale.ROOT, "%s/%s-ms", service, micros / 1000.0).replace(".0-", "-");
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        progress.show("saturated: starting broker, servers and clients");
        String broker = stage.broker("application: bench\n");
        List<String> args = new ArrayList<>(List.of(broker));
        queues.forEach(queue ->
                workers.forEach(each -> args.addAll(List.of(Integer.toString(queue), Integer.toString(each)))));
        stage.server(new JvmCommand("server", List.of(), SaturatedServer.class.getName(), args));
        Map<LoopStyle, Client> clients = new LinkedHashMap<>();
        for (LoopStyle style : STYLES) {
            List<String> options = style == LoopStyle.AGENT
                    ? List.of("-javaagent:" + Agent.required().jar() + "=quiet")
                    : List.of();
            clients.put(
                    style,
                    stage.client(
                            new JvmCommand(style.id(), options, SaturatedClient.class.getName(), List.of(broker))));
        }
        clients.values().forEach(Client::awaitReady);
        List<Turn> turns = new ArrayList<>();
        services()
                .forEach(service ->
                        serviceMicros.forEach(micros -> clients.forEach((style, client) -> turns.add(new Turn(
                                workload(service, micros),
                                style.id(),
                                METRICS,
                                WARM_UPS,
                                () -> client.ask(service + " " + calls + " " + micros))))));
        return turns.stream()
                .filter(turn -> choice.hasContender(this, turn.contender()) && choice.hasWorkload(turn.workload()))
                .toList();
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of(
                "saturated: " + calls
                        + " calls of eight threads, windows of 64; ratio is time over that of the same program without"
                        + " the agent",
                "saturated: requests are counted at the server, where it executes or refuses them");
    }
}
